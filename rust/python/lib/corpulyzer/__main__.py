"""The command: `corpulyzer VERB ...`, which `python -m corpulyzer VERB ...` runs too."""

from __future__ import annotations

import os
import signal
import sys

from ._native import run_command
from ._settings import PACKS


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit code."""
    if os.path.isdir(PACKS):
        os.environ.setdefault("CORPULYZER_PACKS", PACKS)
    # Python's own handler only sets a flag, and no Python runs that would look at it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["corpulyzer", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
