"""Arguments that several functions have."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from typing import Any, Iterable, Optional, Sequence, Union

from ._errors import InputError, InputWarning
from ._native import language_code

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]

#: Longest page, record or line that is read by default, in bytes.
MAX_BYTES = 64 << 20


def paths_of(paths: Paths) -> list[str]:
    """Returns one path or several as a list."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def settings_json(language: str, packs: Iterable[Path], settings: dict[str, Any]) -> str:
    """Returns settings of the engine in JSON: `min_bytes` is `minBytes` there. `None` is the default.

    Raises `SettingError` if `language` is neither a code nor a name of a language.
    """
    named: dict[str, Any] = {"target": language_code(language), "packs": [os.fspath(pack) for pack in packs]}
    for name, value in settings.items():
        if value is not None:
            first, *others = name.split("_")
            named[first + "".join(part.capitalize() for part in others)] = value
    return json.dumps(named)


def scratch_of(scratch: Optional[Path]) -> str:
    """Returns the folder for temporary files."""
    return os.fspath(scratch) if scratch is not None else tempfile.gettempdir()


def report_problems(
    problems: list[tuple[str, bool, list[str]]], damaged: str, stacklevel: int
) -> None:
    """Warns of skipped records, or raises if an input is damaged and `damaged` is `raise`."""
    lost = []
    for sentence, is_loss, first in problems:
        text = sentence + "".join(f"\n  {problem}" for problem in first)
        if is_loss and damaged == "raise":
            lost.append(text)
        else:
            warnings.warn(text, InputWarning, stacklevel=stacklevel + 1)
    if lost:
        raise InputError("an input is damaged: " + "; ".join(lost))
