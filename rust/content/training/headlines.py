#!/usr/bin/env python3
"""Prints how many headlines the gold texts of annotated sets have.

    headlines.py FEATURES WORK SET...

FEATURES is the program of examples/features.rs, WORK a folder for its files, SET a folder that sets.py writes. A headline is the heading of
a page with the largest overlap with its title, at least LEAST_OVERLAP, that is not mostly links, as in src/best/mod.rs. It is in the gold
text if more than half of its words are. Needs what train.py needs.
"""
import pathlib, sys
import numpy as np
from train import Set

LEAST_OVERLAP = 0.5
MOSTLY_LINKS = 0.5


def headlines(s):
    """For each page with gold text and a headline, the share of the headline's words that is in the gold text."""
    is_heading, links, overlap = s.rows()[:, [s.features.index(name) for name in ("IsHeading", "Links", "TitleOverlap")]].T
    overlap = np.where((is_heading > 0) & (links < MOSTLY_LINKS), overlap, 0)
    starts = np.searchsorted(s.ids, np.arange(len(s.pages) + 1))
    found = [a + np.argmax(overlap[a:b]) for a, b, gold in zip(starts, starts[1:], s.gold) if gold]
    return [s.y[block] for block in found if overlap[block] >= LEAST_OVERLAP]


def main(program, work, *folders):
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    for folder in map(pathlib.Path, folders):
        shares = headlines(Set(program, work, folder, 1.0))
        print(f"{folder.name}: {len(shares)} headlines, {np.mean(np.array(shares) > 0.5):.0%} in the gold text")


if __name__ == "__main__":
    main(*sys.argv[1:])
