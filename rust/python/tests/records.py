"""Prints the records of the pages of a folder, to compare builds of the package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import corpulyzer


def main() -> None:
    engine = corpulyzer.Engine("urd")
    for file in sorted(Path(sys.argv[1]).glob("*.html")):
        record = engine.page(file.read_bytes()).to_dict()
        record["markdown"] = corpulyzer.extract(file.read_bytes(), output="markdown")
        print(file.name, json.dumps(record, ensure_ascii=True))


if __name__ == "__main__":
    main()
