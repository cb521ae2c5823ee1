#!/usr/bin/env python3
"""Makes the training texts of seed.pack, its test texts, and the table of its sources.

    python3 seed.py train SOURCES TESTS TEXTS TABLE
    python3 seed.py tests SOURCES UDHR/declaration NTREX TATOEBA TESTS
    python3 seed.py table TABLE LOG BEFORE AFTER

SOURCES is a folder with the checkouts that `seed.md` lists. `tests` writes a folder of test texts for
each source of tests. `train` leaves out every line of the test texts. `table` prints the table of
`seed.md`. LOG is the output of `corpulyzer train`. BEFORE and AFTER are folders with the output of
`corpulyzer evaluate-langid --json` for each folder of TESTS, without the pack and with it.
"""

import csv
import html
import json
import re
import sys
import unicodedata
import zipfile
from collections import Counter, defaultdict
from pathlib import Path

from far import script
from scripts import of_frequencies

# Most bytes of a language from one file of a source.
MOST_BYTES = {
    "oldi": 600_000, "nusax": 600_000, "parme": 600_000, "afrisenti": 300_000, "ud": 200_000,
    "prompts": 300_000, "gatitos": 100_000, "unilex": 10_000_000,
}  # fmt: skip
# Codes of the library by the codes of the sources, if they differ.
SAME = {
    "dik": "din", "fuv": "ful", "gug": "grn", "knc": "kau", "pbt": "pus", "zza": "diq", "twi": "aka",
    "arb": "ara", "swh": "swa", "gaz": "orm", "pes": "fas",
}  # fmt: skip
# Languages of OLDI seed that are not used: the library has enough text in them.
ENOUGH = {"mri", "dzo"}
NUSAX = {
    "acehnese": "ace", "balinese": "ban", "banjarese": "bjn", "buginese": "bug", "javanese": "jav",
    "madurese": "mad", "minangkabau": "min", "ngaju": "nij", "sundanese": "sun", "toba_batak": "bbc",
}  # fmt: skip
TREEBANKS = {
    "UD_Bororo-BDT": "bor", "UD_Low_Saxon-LSDC": "nds", "UD_Manx-Cadhan": "glv", "UD_Naija-NSC": "pcm",
    "UD_Sindhi-Isra": "snd", "UD_Western_Armenian-ArmTDP": "hyw", "UD_Wolof-WTB": "wol",
    "UD_Zaar-Autogramm": "say",
}  # fmt: skip
# Languages of AfriSenti that have little other text.
TWEETS = ["arq", "ary", "pcm", "tso", "twi"]
# In these languages, tweets without a word in Arabic letters are left out: their spelling has no standard.
ARABIC = {"arq", "ary"}
ARABIC_LETTERS = re.compile("[\u0600-\u06ff]{3}")
# Languages of GATITOS with little or no other text. New languages are here only if their F1 on the
# Declaration is at least 80 %.
ENTRIES = {
    "aii": "aii", "arn": "arn", "bci": "bci", "chk": "chk", "mh": "mah", "mos": "mos", "nv": "nav",
    "os": "oss", "pa-Arab": "pnb", "skr": "skr", "tiv": "tiv",
}  # fmt: skip
# Varieties that would take text from a large neighbour, and their most bytes. NEIGHBOURS are the large
# languages that get words of UNILEX: their models have fewer entries for the same text.
VARIETIES = {"ary", "arz", "bho", "hne", "hyw", "mag", "pcm"}
MOST_OF_VARIETY = 100_000
NEIGHBOURS = {
    "ar": ("ara", 60_000), "fa": ("fas", 60_000), "hi": ("hin", 60_000), "id": ("ind", 20_000),
    "ms": ("msa", 20_000),
}  # fmt: skip
# Number of entries of GATITOS on a line.
ENTRIES_A_LINE = 8
# User names, URLs, marks of repeated messages and `#` in tweets.
NOISE = re.compile(r"@\w+|https?://\S+|\bRT\b|#")
# Letters of scripts without spaces between words. In these scripts a line is measured in letters.
JOINED = re.compile("[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff]")
LEAST_WORDS = 3
# Largest share of Latin letters in text of another script. With more, a Latin model would be made too.
LATIN = re.compile("[A-Za-z]")
MOST_LATIN = 0.05
LEAST_JOINED = 12


def normal(line):
    """Returns the words of a line without case, accents, punctuation and digits, to compare lines."""
    letters = unicodedata.normalize("NFKC", line).casefold()
    return " ".join(re.findall(r"[^\W\d_]+", letters))


def is_text(line):
    """Returns whether a line has enough words."""
    return len(line.split()) >= LEAST_WORDS or len(JOINED.findall(line)) >= LEAST_JOINED


def is_pure(line):
    """Returns whether a line is mostly Latin, or has few Latin letters among those of another script."""
    latin, letters = len(LATIN.findall(line)), sum(c.isalpha() for c in line)
    return latin <= MOST_LATIN * letters or latin >= letters / 2


def cells(path, delimiter="\t"):
    """Yields the rows of a table. In a table with tabs, quotation marks are part of the text."""
    with open(path, encoding="utf-8", newline="") as file:
        quoting = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
        yield from csv.reader(file, delimiter=delimiter, quoting=quoting)


def sentences(path):
    """Returns the sentences of a treebank."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line[len("# text = ") :] for line in lines if line.startswith("# text = ")]


def oldi(sources):
    for path in sorted((sources / "seed/seed").glob("*_*")):
        code, tag = path.name.split("_")
        if code not in ENOUGH:
            lines = path.read_text(encoding="utf-8").splitlines()
            yield code, [line for line in lines if script(line) == tag]


def nusax(sources, parts=("train", "valid")):
    for part in parts:
        rows = list(cells(sources / f"nusax/datasets/mt/{part}.csv", ","))
        for name, code in NUSAX.items():
            at = rows[0].index(name)
            yield code, [row[at] for row in rows[1:]]


def parme(sources, parts=("train", "val")):
    for part in parts:
        for path in sorted((sources / "PARME/datasets").glob(f"*-{part}.tsv")):
            rows = list(cells(path))
            at = rows[0].index("translation")
            yield path.name[:3].lower(), [row[at] for row in rows[1:] if len(row) > at]


def afrisenti(sources, part="train"):
    for code in TWEETS:
        rows = list(cells(sources / f"afrisenti/data/{code}/{part}.tsv"))[1:]
        tweets = [NOISE.sub(" ", row[0]) for row in rows if row]
        yield code, [tweet for tweet in tweets if code not in ARABIC or ARABIC_LETTERS.search(tweet)]


def treebanks(sources, parts=("train", "dev")):
    for name, code in TREEBANKS.items():
        for part in parts:
            for path in sorted((sources / name).glob(f"*-ud-{part}.conllu")):
                yield code, sentences(path)


def prompts(sources):
    for part in ["suf", "sum"]:
        rows = cells(sources / f"language-resources/su/data/{part}_prompts.tsv")
        yield "sun", [row[1] for row in rows if len(row) > 1]


def entries(path):
    """Returns the words of a list of GATITOS, several on a line."""
    words = [row[0] for row in cells(path) if row]
    return [" ".join(words[at : at + ENTRIES_A_LINE]) for at in range(0, len(words), ENTRIES_A_LINE)]


def gatitos(sources):
    for short, code in ENTRIES.items():
        lines = entries(sources / f"gatitos/gatitos/{short}_en.tsv")
        if code == "oss":
            # GATITOS has the Latin letter that looks like the Cyrillic one.
            lines = [line.replace("æ", "ӕ") for line in lines]
        tag = script("".join(lines))
        yield code, [line for line in lines if script(line) == tag]


def unilex(sources):
    for short, (code, words) in NEIGHBOURS.items():
        rows = (sources / f"unilex/data/frequency/{short}.txt").read_text(encoding="utf-8").splitlines()
        yield code, of_frequencies(rows, words).splitlines()


SOURCES = {
    "oldi": oldi, "nusax": nusax, "parme": parme, "afrisenti": afrisenti, "ud": treebanks,
    "prompts": prompts, "gatitos": gatitos, "unilex": unilex,
}  # fmt: skip


def write_training(sources, tests, out, table):
    """Writes a text for each language, and a table with its code, its number of lines and its sources."""
    held = set()
    for path in Path(tests).rglob("*.txt"):
        held.update(normal(line) for line in path.read_text(encoding="utf-8").splitlines())
    texts, used, left_out = defaultdict(list), defaultdict(list), Counter()
    for source, read in SOURCES.items():
        seen = defaultdict(set)
        for code, lines in read(Path(sources)):
            code, size = SAME.get(code, code), 0
            most = min(MOST_BYTES[source], MOST_OF_VARIETY) if code in VARIETIES else MOST_BYTES[source]
            for line in (" ".join(line.split()) for line in lines):
                key = normal(line)
                if not (is_text(line) and is_pure(line)) or key in seen[code]:
                    continue
                if key in held:
                    left_out[source] += 1
                elif size < most:
                    seen[code].add(key)
                    size += len(line.encode())
                    texts[code].append(line)
        for code in seen:
            used[code].append(source)
    Path(out).mkdir(parents=True)
    rows = ["code\tlines\tsources\n"]
    for code, lines in sorted(texts.items()):
        (Path(out) / f"{code}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        rows.append(f"{code}\t{len(lines)}\t{', '.join(used[code])}\n")
    Path(table).write_text("".join(rows), encoding="utf-8")
    print(f"{len(texts)} languages; lines that are in a test: {dict(left_out)}")


def declarations(folder):
    """Yields the code and the paragraphs of each translation of the Declaration."""
    for path in sorted(Path(folder).glob("*.html")):
        page = path.read_text(encoding="utf-8")
        code = re.search(r'data-iso6393="(\w+)"', page)
        paragraphs = re.findall(r"<p>(.*?)</p>", page, re.S)
        if code:
            yield code[1], [html.unescape(re.sub(r"<[^>]+>|\s+", " ", p)) for p in paragraphs]


def translations(path, short):
    """Returns the segments in one language of a zipped translation memory."""
    with zipfile.ZipFile(path) as archive:
        memory = archive.read(archive.namelist()[0]).decode("utf-8")
    segments = re.findall(rf'<tuv xml:lang="{re.escape(short)}">\s*<seg>(.*?)</seg>', memory, re.S)
    return [html.unescape(segment) for segment in segments]


def write_tests(sources, udhr, ntrex, tatoeba, out):
    """Writes the test texts: a folder for each source, with a file for each language."""
    texts = defaultdict(list)

    def add(kind, code, lines, least):
        if code in NO_LANGUAGE:
            return
        kept = [" ".join(line.split()) for line in lines]
        texts[kind, SAME.get(code, code)] += [line for line in kept if len(line) >= least]

    sources = Path(sources)
    for code, lines in declarations(udhr):
        add("udhr", code, lines, 30)
    for path in sorted(Path(ntrex).glob("newstest2019-ref.*.txt")):
        code = path.name.split(".")[1].split("-")[0]
        add("ntrex", code, path.read_text(encoding="utf-8").splitlines(), 30)
    for path in sorted(Path(tatoeba).glob("tatoeba.*-eng.*")):
        code = path.name.split(".")[-1]
        if code != "eng":
            add("tatoeba", code, path.read_text(encoding="utf-8").splitlines(), 15)
    for path in sorted(sources.glob("UD_*/*-ud-test.conllu")):
        add("ud", UD_CODES[path.name.split("_")[0]], sentences(path), 30)
    for code, lines in nusax(sources, ["test"]):
        add("nusax", code, lines, 30)
    for code, lines in parme(sources, ["test"]):
        add("parme", code, lines, 15)
    for code, lines in afrisenti(sources, "test"):
        add("afrisenti", code, lines, 30)
    for path in sorted((sources / "gatitos/gatitos").glob("*_en.tsv")):
        short = path.stem.removesuffix("_en")
        if short in GATITOS_TESTS:
            add("gatitos", GATITOS_TESTS[short], entries(path), 20)
    for path in sorted((sources / "tico-19/data/TM").glob("all.en-*.tmx.zip")):
        short = path.name.split("en-")[1].split(".")[0]
        if short in TICO:
            add("tico", TICO[short], translations(path, short), 20)
    for (kind, code), lines in texts.items():
        (Path(out) / kind).mkdir(parents=True, exist_ok=True)
        text = "\n".join(dict.fromkeys(lines)) + "\n"
        (Path(out) / kind / f"{code}.txt").write_text(text, encoding="utf-8")


# The sources of tests, each with the training source of the same collection, if there is one.
MEASURES = {
    "udhr": "", "ntrex": "", "tatoeba": "", "tico": "", "gatitos": "gatitos", "ud": "ud",
    "nusax": "nusax", "parme": "parme", "afrisenti": "afrisenti",
}  # fmt: skip


def print_table(table, log, before, after):
    """Prints a row for each language: words by script, sources, and F1 by test before and after."""
    words = defaultdict(list)
    names = {}
    line_of = re.compile(r"(\w{3}) \((.*)\) in (\w{4}): (\d+) words")
    for code, name, tag, count in line_of.findall(Path(log).read_text(encoding="utf-8")):
        names[code] = name
        words[code].append(f"{tag} {int(count):,}")
    scores = {
        (kind, when): f1_by_language(Path(folder) / f"{kind}.json")
        for kind in MEASURES
        for when, folder in (("before", before), ("after", after))
    }
    for code, _, sources in list(cells(table))[1:]:
        found = []
        for kind, same in MEASURES.items():
            old, new = (scores[kind, when].get(code) for when in ("before", "after"))
            if new is not None:
                mark = "*" if same and same in sources.split(", ") else ""
                found.append(f"{kind}{mark} {old:.1f} → {new:.1f}")
        row = [code, names[code], ", ".join(words[code]), sources, "; ".join(found) or "-"]
        print("| " + " | ".join(row) + " |")


def f1_by_language(path):
    """Returns the F1 of an evaluation, in percent, by language; nothing if the file is missing."""
    if not path.is_file():
        return {}
    figures = json.loads(path.read_text(encoding="utf-8"))["identifiers"][0]
    return {row["language"]: 100 * row["f1"] for row in figures["per_language"]}


# Codes of the sources that do not stand for one language.
NO_LANGUAGE = {"und", "ber"}
# Codes of the files of treebanks.
UD_CODES = {
    "aln": "aln", "ar": "ara", "azz": "azz", "bar": "bar", "bej": "bej", "bm": "bam", "bor": "bor",
    "gub": "gub", "gv": "glv", "hyw": "hyw", "jv": "jav", "nds": "nds", "pcm": "pcm", "quc": "quc",
    "say": "say", "sd": "snd", "wo": "wol",
}  # fmt: skip
# Lists of GATITOS for the tests, with the codes of the library.
GATITOS_TESTS = {
    "ace": "ace", "ar-MA": "ary", "arz": "arz", "ak": "aka", "ban": "ban", "bbc": "bbc", "bho": "bho",
    "bjn": "bjn", "bm": "bam", "bug": "bug", "crh-Latn": "crh", "din": "din", "fa-AF": "prs",
    "ff": "ful", "fur": "fur", "gn": "grn", "gv": "glv", "hne": "hne", "kr": "kau", "ks": "kas",
    "li": "lim", "lij": "lij", "lmo": "lmo", "ltg": "ltg", "mad": "mad", "mag": "mag", "mai": "mai",
    "min": "min", "nus": "nus", "pcm": "pcm", "scn": "scn", "shn": "shn", "szl": "szl",
    "vec": "vec", "wo": "wol", "zza": "diq",
}  # fmt: skip
# Codes of the translations of TICO-19. The one into Nuer is left out: it has the encoding of an old font.
TICO = {
    "ar": "ara", "bn": "ben", "ckb": "ckb", "din": "din", "es-LA": "spa", "fa": "fas", "fr": "fra",
    "fuv": "ful", "ha": "hau", "hi": "hin", "id": "ind", "kr": "kau", "ku": "kmr", "mr": "mar",
    "ms": "msa", "ne": "nep", "prs": "prs", "ps": "pus", "pt-BR": "por", "ru": "rus", "rw": "kin",
    "so": "som", "sw": "swa", "ti_ET": "tir", "tl": "tgl", "ur": "urd", "zu": "zul",
}  # fmt: skip


if __name__ == "__main__":
    verbs = {"train": (write_training, 4), "tests": (write_tests, 5), "table": (print_table, 4)}
    verb, count = verbs.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if verb is None or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    verb(*sys.argv[2:])
