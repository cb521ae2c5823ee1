#!/usr/bin/env python3
"""Makes the training texts of open.pack.

    python3 open.py TEXTS MODELS OUT

TEXTS has a file for each language of `TEXTS_OF`, whose first line is its licence; README.md names the
sources. MODELS has the texts of world.pack. OUT gets the files for `corpulyzer train`.
"""

import sys
import unicodedata
from pathlib import Path

# Languages with text of further sources. The text in Burmese is short: it is used twice.
TEXTS_OF = "nso sot ssw ven nbl tso zul xho tsn run yue lin fon mya bel-Latn".split()
TWICE = {"mya"}
# Languages that many people write without marks.
UNMARKED = "vie yor ibo ces slk".split()
LETTERS = str.maketrans("đĐ", "dD")


def unmarked(text):
    """Returns a text without the marks of its letters, as people without a keyboard for it write."""
    parts = unicodedata.normalize("NFD", text.translate(LETTERS))
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c < "\u0370"))


def lines(path):
    """Returns the lines of a file without the line of its licence."""
    text = path.read_text(encoding="utf-8").split("\n")
    return [line for line in text if line.strip() and not line.startswith("# ")]


def main(texts, models, out):
    out.mkdir(exist_ok=True)
    for name in TEXTS_OF:
        code = name.split("-")[0]
        found = lines(texts / f"{name}.txt") * (2 if code in TWICE else 1)
        (out / f"{code}.txt").write_text("\n".join(found) + "\n", encoding="utf-8")
    for code in UNMARKED:
        marked = lines(models / f"{code}.txt")
        found = [unmarked(line) for line in marked if unmarked(line) != line]
        (out / f"{code}.txt").write_text("\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
