#!/usr/bin/env python3
"""Scores extracted texts against segments that a text must have and segments that it must not have: precision, recall and F1 of the
segments, over all pages and by language.

    segments.py SET OUT ...

SET is a folder as train.py takes it, with segments.json in place of gold: {NAME: {"with": [SEGMENT, ...], "without": [SEGMENT, ...]}}. OUT is a
folder with NAME.txt for every page, as `corpulyzer extract --in SET/html --out OUT` writes it; a page without one has no text. White
space and case do not count.

Needs nothing beside Python.
"""
import collections, json, pathlib, sys


def fold(text):
    return "".join(text.split()).casefold()


def score(segments, out, names):
    """Precision, recall and F1 of the pages of these names."""
    hits = misses = wrong = 0
    for name in names:
        file = pathlib.Path(out) / (name + ".txt")
        text = fold(file.read_text("utf-8", "replace")) if file.exists() else ""
        found = sum(fold(segment) in text for segment in segments[name]["with"])
        hits, misses = hits + found, misses + len(segments[name]["with"]) - found
        wrong += sum(fold(segment) in text for segment in segments[name]["without"])
    return [part / max(1, whole) for part, whole in [(hits, hits + wrong), (hits, hits + misses), (2 * hits, 2 * hits + misses + wrong)]]


def main(folder, *outs):
    folder = pathlib.Path(folder)
    segments = json.loads((folder / "segments.json").read_text("utf-8"))
    languages = collections.defaultdict(list)
    for line in (folder / "index.tsv").read_text("utf-8").splitlines():
        name, _, language = line.split("\t")
        languages[language].append(name)
    for out in outs:
        precision, recall, f1 = score(segments, out, segments)
        by = sorted(languages.items(), key=lambda item: -len(item[1]))
        by = " ".join(f"{language}({len(names)}) {score(segments, out, names)[2]:.3f}" for language, names in by)
        print(f"{out}: {len(segments)} pages, P {precision:.3f} R {recall:.3f} F1 {f1:.3f}  {by}")


if __name__ == "__main__":
    main(*sys.argv[1:])
