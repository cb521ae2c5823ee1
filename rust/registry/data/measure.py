#!/usr/bin/env python3
"""Make quality.tsv and quality.version of the figures of `corpulyzer evaluate-langid`.

    corpulyzer evaluate-langid --test ../shared/data/langid/dev --json > figures.json
    measure.py figures.json
"""

import json
import sys
from pathlib import Path

# Their texts in the development set are in another language: `nso` of NTREX is Southern Sotho.
MISLABELLED = {"nso"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        (report,) = json.load(file)["identifiers"]
    folder = Path(__file__).parent
    rows = []
    for row in report["per_language"]:
        if row["known"] and row["texts"] and row["language"] not in MISLABELLED:
            figures = (round(100 * (row[name] or 0), 1) for name in ("precision", "recall", "f1"))
            rows.append((row["language"], row["texts"], *figures))
    with open(folder / "quality.tsv", "w", encoding="utf-8") as file:
        print("# Made by measure.py: code, sentences, precision, recall, F1 in percent", file=file)
        for row in sorted(rows):
            print(*row, sep="\t", file=file)
    (folder / "quality.version").write_text(report["identifier"] + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
