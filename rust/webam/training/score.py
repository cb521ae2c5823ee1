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


def main(folder, *outs):
    golds = {file.name: bag(file) for file in sorted((pathlib.Path(folder) / "gold").glob("*.txt"))}
    golds = {name: gold for name, gold in golds.items() if gold}
    optional = {name: bag(pathlib.Path(folder) / "optional" / name) for name in golds}
    for out in outs:
        scores = [score(bag(pathlib.Path(out) / name), gold, optional[name]) for name, gold in golds.items()]
        means = [sum(column) / len(scores) for column in zip(*scores)]
        print(f"{out}: {len(scores)} pages, P {means[0]:.3f} R {means[1]:.3f} F1 {means[2]:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
