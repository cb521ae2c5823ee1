#!/usr/bin/env python3
"""Makes training text for more.pack from text in another script, or from word frequencies.

    python3 scripts.py srp < cyrillic.txt > latin.txt      # Serbian, from Cyrillic to Latin
    python3 scripts.py aze < latin.txt > cyrillic.txt      # Azerbaijani, from Latin to Cyrillic
    python3 scripts.py uzb < latin.txt > cyrillic.txt      # Uzbek, likewise
    python3 scripts.py tuk < latin.txt > cyrillic.txt      # Turkmen, likewise
    python3 scripts.py words 60000 < bs.txt > text.txt     # a word list of UNILEX, as 60,000 words

The two alphabets of each language correspond letter by letter, except in a few loanwords. A text from
word frequencies has each of the 12,000 most frequent words in proportion to its frequency, in a random
order that is always the same, twelve words a line.
"""

import random
import re
import sys

SERBIAN = dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš"))
SERBIAN.update({"љ": "lj", "њ": "nj", "џ": "dž"})
AZERBAIJANI = dict(zip("abcçdeəfgğhxıijkqlmnoöprsştuüvyz", "абҹчдеәфҝғһхыижкглмноөпрсштуүвјз"))
UZBEK = dict(zip("abdefghijklmnopqrstuvxyz'", "абдефгҳижклмнопқрстувхйзъ"))
UZBEK.update({"sh": "ш", "ch": "ч", "o'": "ў", "g'": "ғ", "yo": "ё", "yu": "ю", "ya": "я", "ye": "е"})
TURKMEN = dict(zip("žçşýňäöüabdefghijklmnoprstuwyz", "жчшйңәөүабдефгхиҗклмнопрстувыз"))
TURKMEN.update({"ýa": "я", "ýo": "ё", "ýu": "ю"})
# For each language the letters, the exceptions for capitals, and whether e at the start of a word is э.
LANGUAGES = {
    "srp": (SERBIAN, {}, False),
    "aze": (AZERBAIJANI, {"I": "Ы", "İ": "И"}, False),
    "uzb": (UZBEK, {}, True),
    "tuk": (TURKMEN, {}, True),
}
MOST_WORDS = 12_000
WORDS_A_LINE = 12


def transliterated(text, language):
    """Returns a text in the other script of a language."""
    letters, capitals, has_initial_e = LANGUAGES[language]
    table = dict(letters)
    for old, new in letters.items():
        table[old.upper()] = new.upper()
        table[old[0].upper() + old[1:]] = new[0].upper() + new[1:]
    table.update(capitals)
    if language == "uzb":
        text = re.sub("[‘’ʻʼ`´]", "'", text)
    if has_initial_e:
        text = re.sub(r"\bE", "Э", re.sub(r"\be", "э", text))
    longest_first = sorted(table, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda found: table[found[0]], text)


def of_frequencies(lines, count):
    """Returns a text of about `count` words. A line has a word, a tab and its frequency per 1,000 million."""
    rows = (line.rstrip("\n").split("\t") for line in lines)
    known = sorted(((int(row[1]), row[0]) for row in rows if len(row) == 2 and row[1].isdigit()), reverse=True)
    words = [word for frequency, word in known[:MOST_WORDS] for _ in range(round(frequency * count / 1e9))]
    random.Random(7).shuffle(words)
    starts = range(0, len(words), WORDS_A_LINE)
    return "".join(" ".join(words[at : at + WORDS_A_LINE]) + "\n" for at in starts)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "words":
        sys.stdout.write(of_frequencies(sys.stdin, int(sys.argv[2])))
    elif len(sys.argv) == 2 and sys.argv[1] in LANGUAGES:
        sys.stdout.write(transliterated(sys.stdin.read(), sys.argv[1]))
    else:
        sys.exit(__doc__)
