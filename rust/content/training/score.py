#!/usr/bin/env python3
"""Scores extracted texts against gold texts: precision, recall and F1 of the bag of words, the mean over pages.

    score.py SET OUT ...

SET is a folder as train.py takes it, OUT a folder with NAME.txt for every page, as `corpulyzer extract --in SET/html --out OUT` writes it.
A word is what train.py takes for one. Words of optional/NAME.txt count neither way. A page without an output scores 0; pages without gold are left out.

Needs what train.py needs.
"""
import collections, pathlib, sys
from train import score, tokens


def bag(file):
    return collections.Counter(tokens(file.read_text("utf-8", "replace")) if file.exists() else [])


def scores_of(folder, out):
    """Precision, recall and F1 of each page with a gold text, by name."""
    golds = {file.name: bag(file) for file in sorted((folder / "gold").glob("*.txt"))}
    return {name.removesuffix(".txt"): score(bag(out / name), gold, bag(folder / "optional" / name)) for name, gold in golds.items() if gold}


def main(folder, *outs):
    for out in outs:
        scores = scores_of(pathlib.Path(folder), pathlib.Path(out)).values()
        means = [sum(column) / len(scores) for column in zip(*scores)]
        print(f"{out}: {len(scores)} pages, P {means[0]:.3f} R {means[1]:.3f} F1 {means[2]:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
