"""Arguments that several functions have."""

from __future__ import annotations

import json
import math
import os
import tempfile
import warnings
from typing import Any, Iterable, Optional, Sequence, Union

from ._errors import InputError, InputWarning, SettingError
from ._native import language_code

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]

#: Longest page, record or line that is read by default, in bytes.
MAX_BYTES = 64 << 20

#: The language packs that the package brings, and their folder.
PACK_NAMES = ("seed", "far")
PACKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packs")


def paths_of(paths: Paths) -> list[str]:
    """Returns one path or several as a list."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def pack_files(packs: Iterable[Path]) -> list[str]:
    """Returns the files of packs. `seed` and `far` are names of packs that the package brings, as in
    the command: a file of that name takes precedence, and then the folder in `CORPULYZER_PACKS`.

    Raises `SettingError` if such a pack is not in the package.
    """
    return [_pack_file(os.fspath(pack)) for pack in packs]


def _pack_file(pack: str) -> str:
    if pack not in PACK_NAMES or os.path.exists(pack):
        return pack
    folders = [os.environ.get("CORPULYZER_PACKS"), PACKS]
    files = [os.path.join(folder, f"{pack}.pack") for folder in folders if folder]
    for file in files:
        if os.path.isfile(file):
            return file
    raise SettingError(f"the pack `{pack}` is not in the package: no file {files[-1]}; name its file")


def settings_json(language: str, packs: Iterable[Path], settings: dict[str, Any]) -> str:
    """Returns settings of the engine in JSON: `min_bytes` is `minBytes` there. `None` is the default.

    Raises `SettingError` if `language` is neither a code nor a name of a language.
    """
    named: dict[str, Any] = {"target": language_code(language), "packs": pack_files(packs)}
    for name, value in settings.items():
        if value is not None:
            first, *others = name.split("_")
            is_no_number = isinstance(value, float) and not math.isfinite(value)
            named[first + "".join(part.capitalize() for part in others)] = (
                repr(value) if is_no_number else value
            )
    # The engine names the setting and what is allowed, whatever the value is.
    return json.dumps(named, default=repr)


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
