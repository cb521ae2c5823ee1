#!/usr/bin/env python3
"""Our own annotations of main content: labels of blocks of public pages, made by two annotators.

    gold.py list FEATURES SET OUT        writes the blocks of a set's pages as lists for annotators
    gold.py read FEATURES SET ANSWERS    prints an annotator's answers as a file of labels
    gold.py agreement                    prints how well gold/first.tsv and gold/second.tsv agree
    gold.py make FEATURES CHECKOUTS SETS makes the sets own-dev and own-held

FEATURES is the program of examples/features.rs. SET is a folder that sets.py writes. CHECKOUTS is a folder
with a checkout of each repository of gold/pages.tsv, named OWNER+NAME. gold/README.md describes the files
and the rules of annotation.

Needs lxml and numpy.
"""
import collections, pathlib, re, subprocess, sys, tempfile
import numpy as np
from logarithms import without_log
from sets import Writer, decoded, half

GOLD = pathlib.Path(__file__).parent / "gold"
# Labels: main text (m), headline (t), date and author (d), caption (c), readers' comments (r), undecided (x).
LETTERS = "mtdcrx"
# Text with these labels counts neither way: the data sets of other authors disagree about it.
OPTIONAL = "tcx"
# A page is left out if a smaller share of its labelled blocks is found again.
LEAST_FOUND = 0.95
LISTED_CHARACTERS = 60_000


def fingerprint(text):
    """Returns the upper half of the 64-bit FNV-1a hash of a text with folded white space, in hexadecimal."""
    value = 0xCBF29CE484222325
    for byte in " ".join(text.split()).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value >> 32:08x}"


def numbered(fingerprints):
    """Returns the fingerprints of a page; a repeated one gets the number of its occurrence (`1a2b3c4d.2`)."""
    seen, out = collections.Counter(), []
    for each in fingerprints:
        seen[each] += 1
        out.append(each if seen[each] == 1 else f"{each}.{seen[each]}")
    return out


def blocks(program, folder):
    """Returns the texts of the blocks by page, and the features of the blocks by page, each by name."""
    names = subprocess.run([program, "names"], check=True, capture_output=True, text=True).stdout.splitlines()[0].split()
    with tempfile.TemporaryDirectory() as work:
        base = work + "/set"
        subprocess.run([program, "blocks", folder / "html", base], check=True)
        lines = [line.rstrip("\n").split("\t", 1) for line in open(base + ".texts", encoding="utf-8", newline="\n")]
        rows = np.fromfile(base + ".features", "<f4").reshape(len(lines), len(names))
    texts, features = collections.defaultdict(list), collections.defaultdict(list)
    for (page, text), row in zip(lines, rows):
        texts[page].append(text)
        features[page].append(dict(zip(names, row)))
    return texts, features


def shown(text):
    """Returns a block's text as annotators see it: over 110 characters, the middle is cut."""
    text = " ".join(text.split())
    return text if len(text) <= 110 else f"{text[:70]} … {text[-25:]} ({len(text)})"


def listed(page, language, url, texts, features):
    """Returns a page as a list of numbered blocks. Six or more short links in a row are one line."""
    out, at = [f"=== {page} {language} {url[:110]} blocks={len(texts)}"], 0

    def link(i):
        return features[i]["Links"] > 0.8 and without_log(features[i]["Letters"]) < 45 and not features[i]["IsHeading"]

    while at < len(texts):
        end = at
        while end < len(texts) and link(end):
            end += 1
        if end - at >= 6:
            some = "; ".join(" ".join(texts[i].split())[:22] for i in (at, at + 1, at + 2, end - 1))
            out.append(f"{at}-{end - 1} [short links] {some}")
            at = end
            continue
        flags = (("IsHeading", "H"), ("InList", "L"), ("InCell", "T"), ("InHidden", "hid"))
        marks = "".join(mark for name, mark in flags if features[at][name]) + ("a" if features[at]["Links"] > 0.5 else "")
        if texts[at].strip():
            out.append(f"{at} {marks}| {shown(texts[at])}")
        at += 1
    return "\n".join(out) + "\n\n"


def index(folder):
    return [line.split("\t") for line in (folder / "index.tsv").read_text("utf-8").splitlines()]


def write_lists(program, folder, out):
    """Writes the pages of a set as lists of blocks, in files of about LISTED_CHARACTERS characters."""
    texts, features = blocks(program, folder)
    lists = [""]
    for page, url, language, *_ in index(folder):
        lists[-1] += listed(page, language, url, texts[page], features[page])
        if len(lists[-1]) > LISTED_CHARACTERS:
            lists.append("")
    out.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(filter(None, lists)):
        (out / f"{number:02}.txt").write_text(text, "utf-8")


def answers(file):
    """Reads an annotator's answers: for each page its kind, and the letters of its blocks by block number."""
    out = {}
    for line in file.read_text("utf-8").splitlines():
        page, kind, *rest = line.split()
        letters = {}
        for part in rest:
            letter, _, ranges = part.partition(":")
            if letter not in LETTERS:
                sys.exit(f"{file}: {page}: '{part}' begins with none of {LETTERS}")
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", ranges):
                letters.update(dict.fromkeys(range(int(first), int(last or first) + 1), letter))
        out[page] = kind, letters
    return out


def read_answers(program, folder, file):
    texts, _ = blocks(program, folder)
    for page, (kind, letters) in sorted(answers(file).items()):
        if page not in texts:
            continue
        names = numbered(map(fingerprint, texts[page]))
        parts = [letter + ":" + ",".join(names[i] for i in sorted(letters) if letters[i] == letter and i < len(names) and texts[page][i].strip())
                 for letter in LETTERS if letter in letters.values()]
        print("\t".join([page, kind, *parts]))


def labels(file):
    """Reads a file of labels: for each page its kind, and the letters of its blocks by fingerprint."""
    out = {}
    for line in file.read_text("utf-8").splitlines():
        page, kind, *parts = line.split("\t")
        out[page] = kind, {name: part[0] for part in parts for name in part[2:].split(",")}
    return out


def pages():
    """Returns the rows of gold/pages.tsv as dictionaries."""
    head, *rows = [line.split("\t") for line in (GOLD / "pages.tsv").read_text("utf-8").splitlines()]
    return [dict(zip(head, row)) for row in rows]


def kappa(pairs):
    """Returns the share of agreement and Cohen's kappa, from the count of each pair of labels."""
    total = sum(pairs.values())
    agreed = sum(count for (a, b), count in pairs.items() if a == b) / total
    first, second = collections.Counter(), collections.Counter()
    for (a, b), count in pairs.items():
        first[a] += count
        second[b] += count
    chance = sum(first[label] * second[label] for label in first) / total**2
    return agreed, (agreed - chance) / (1 - chance) if chance < 1 else 1.0


def agreement():
    first, second = labels(GOLD / "first.tsv"), labels(GOLD / "second.tsv")
    twice = [page for page in pages() if page["name"] in second]
    every, main, kinds, split = collections.Counter(), collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    for page in twice:
        (kind, a), (other, b) = first[page["name"]], second[page["name"]]
        kinds[kind, other] += 1
        here = collections.Counter((a.get(name, "-"), b.get(name, "-")) for name in a.keys() | b.keys())
        here["-", "-"] += int(page["blocks"]) - sum(here.values())
        every += here
        for (x, y), count in here.items():
            main[x == "m", y == "m"] += count
            split[page["part"]][x == "m", y == "m"] += count
    print("| agreement of two annotators | number | share | kappa |\n|---|---|---|---|")
    for title, pairs in [("kinds of pages", kinds), ("blocks, all labels", every), ("blocks, main text or not", main),
                         *((f"the same, {part}", pairs) for part, pairs in sorted(split.items()))]:
        print("| {} | {:,} | {:.1%} | {:.3f} |".format(title, sum(pairs.values()), *kappa(pairs)))


def make(program, checkouts, target):
    """Makes the sets own-dev and own-held.

    Gold text is the text that both annotators call main text, or the only annotator of a page. Text that
    only one of them calls main text, and text with a label of OPTIONAL, counts neither way.
    """
    first, second = labels(GOLD / "first.tsv"), labels(GOLD / "second.tsv")
    out = Writer(target)
    with tempfile.TemporaryDirectory() as work:
        work, sources, absent = pathlib.Path(work), {}, collections.Counter()
        (work / "html").mkdir()
        for page in pages():
            file = checkouts / page["repository"].replace("/", "+") / page["path"]
            if not file.exists():
                absent[page["repository"]] += 1
                continue
            sources[page["name"]] = decoded(file.read_bytes())
            (work / "html" / (page["name"] + ".html")).write_text(sources[page["name"]], "utf-8", errors="replace")
        for repository, count in sorted(absent.items()):
            print(f"no {repository}, or another commit: {count} pages are left out")
        texts, _ = blocks(program, work)
    for page in pages():
        name = page["name"]
        if name not in sources:
            continue
        names, (_, a), (_, b) = numbered(map(fingerprint, texts[name])), first[name], second.get(name, first[name])
        wanted = a.keys() | b.keys()
        if len(wanted & set(names)) < LEAST_FOUND * len(wanted):
            print(f"{name}: {len(wanted & set(names))} of {len(wanted)} labelled blocks are found; the page is left out")
            continue
        gold, optional = [], []
        for text, block in zip(texts[name], names):
            pair = {a.get(block, "-"), b.get(block, "-")}
            if pair == {"m"}:
                gold.append(text)
            elif "m" in pair or pair & set(OPTIONAL):
                optional.append(text)
        folder = "own-" + half(page["site"])
        url = page["url"] if page["url"] != "-" else f"http://{page['site'].replace('/', '-')}/"
        out.add(folder, name, url, sources[name], "\n".join(gold), page["language"])
        path = out.target / folder / "optional" / (name + ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(optional), "utf-8")
    out.close()


if __name__ == "__main__":
    verbs = {"list": (write_lists, 3), "read": (read_answers, 3), "agreement": (agreement, 0), "make": (make, 3)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) - 2 != verbs[sys.argv[1]][1]:
        sys.exit(__doc__)
    verb, (program, *rest) = verbs[sys.argv[1]][0], sys.argv[2:] or [None]
    verb(program, *map(pathlib.Path, rest)) if program else verb()
