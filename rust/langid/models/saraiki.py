#!/usr/bin/env python3
"""Makes the training text of Saraiki for arabic-more.pack, and a test text.

    python3 saraiki.py TRAIN HELD < sentence-collector.txt

The input has a sentence on each line. Every tenth sentence goes to the test text. Sentences that share
most words with a test sentence are left out, because many are variants of one proverb. The others go to
the training text. Every fourth of them is written with the letters of Sindhi, as in older Saraiki texts.
"""

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

OLDER = str.maketrans("ݨݙڳ", "ڻڋڱ")
LEAST_WORDS = 3
# One of this many sentences is a test sentence.
HELD = 10
# One of this many training sentences is written in the older letters.
OLD = 4
# Two sentences are variants if they share at least this part of the words of the shorter one.
SAME = 0.6


def words(sentence):
    """Returns the set of words of a sentence, without digits and marks."""
    return set(re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", sentence)))


def divided(lines):
    """Returns the training sentences and the test sentences."""
    lines = [" ".join(line.split()) for line in lines]
    lines = [line for line in lines if len(line.split()) >= LEAST_WORDS]
    held = lines[::HELD]
    held_words = [words(line) for line in held]
    lines_with = defaultdict(set)
    for at, own in enumerate(held_words):
        for word in own:
            lines_with[word].add(at)

    def is_variant(line):
        own = words(line)
        shared = Counter(at for word in own for at in lines_with[word])
        least = [max(LEAST_WORDS, SAME * min(len(own), len(held_words[at]))) for at in shared]
        return any(count >= limit for count, limit in zip(shared.values(), least))

    others = [line for at, line in enumerate(lines) if at % HELD and not is_variant(line)]
    new = [line for at, line in enumerate(others, 1) if at % OLD]
    old = [line.translate(OLDER) for line in others[OLD - 1 :: OLD]]
    return new + old, held


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for path, lines in zip(sys.argv[1:], divided(sys.stdin)):
        Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
