#!/usr/bin/env python3
"""Measures a second stage that tells two or three similar languages apart. No such stage is shipped.

    python3 pairs.py TRAIN TEST ind/msa nob/nno hrv/srp

TRAIN and TEST are folders with a file for each language, such as ind.txt, with a text on each line. The
stage is a logistic regression on words and on sequences of 2 to 5 characters in words. It is trained from
the texts and from pieces of six words, so that it meets short texts too. For each language it prints the
percentage of the test's texts that the stage assigns to each language of the group. It needs scikit-learn.
"""

import sys
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_union

# Words of a piece of a text.
PIECE = 6


def texts(folder, language):
    """Returns the lines of a language in lower case."""
    lines = (Path(folder) / f"{language}.txt").read_text(encoding="utf-8").lower().splitlines()
    return [line for line in lines if line.strip()]


def pieces(line):
    """Returns a text, and its pieces of six words."""
    words = line.split()
    return [line] + [" ".join(words[at : at + PIECE]) for at in range(0, len(words), PIECE)]


def stage(train, group):
    """Returns a function from texts to their languages."""
    rows = [(piece, code) for code in group for line in texts(train, code) for piece in pieces(line)]
    features = make_union(
        CountVectorizer(binary=True, token_pattern=r"\w+", min_df=2),
        CountVectorizer(binary=True, analyzer="char_wb", ngram_range=(2, 5), min_df=3),
    )
    counts = features.fit_transform([piece for piece, _ in rows])
    model = LogisticRegression(C=0.3, max_iter=200, class_weight="balanced")
    model.fit(counts, [code for _, code in rows])
    return lambda lines: list(model.predict(features.transform(lines)))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    train, test, *groups = sys.argv[1:]
    for group in (named.split("/") for named in groups):
        found = stage(train, group)
        for code in group:
            answers = found(texts(test, code))
            shares = (f"{other} {100 * answers.count(other) / len(answers):.1f}" for other in group)
            print(code, len(answers), *shares, sep="\t")


if __name__ == "__main__":
    main()
