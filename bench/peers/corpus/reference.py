"""The report's figures again, from their definitions, with other people's libraries."""

import collections
import hashlib
import io
import json
import math
import sys

import numpy
import regex
import scipy.stats
import zstandard
from datasketch import MinHash, MinHashLSH

HARD = "\u06d4\u061f\u0964\u0965\u0589\u104b\u1362\u3002\uff01\uff1f"
EDGE = r"[\p{P}\p{S}\p{C}]"
OWN = regex.compile(r"[\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFF]+")
ENDS = regex.compile(rf"^{EDGE}+|{EDGE}+$")


def pages(path):
    with open(path, "rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file) if path.endswith(".zst") else file
        for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n"):
            yield json.loads(line)


def tokens(block):
    """Tokens of a block, without signs at their ends."""
    words = (ENDS.sub("", piece) for piece in regex.split(rf"[\s{HARD}]+", block))
    return [word for word in words if word]


def blocks(text):
    return [words for words in map(tokens, text.split("\n")) if words]


def slope(counts):
    """Least squares through log-spaced ranks of frequency 5 and more."""
    frequencies = sorted(counts.values(), reverse=True)
    ranks, step = [], 0
    while not ranks or ranks[-1] < len(frequencies):
        rank = min(math.floor(10 ** (step / 20) + 0.5), len(frequencies))
        if not ranks or rank > ranks[-1]:
            ranks.append(rank)
        step += 1
    points = [(rank, frequencies[rank - 1]) for rank in ranks if frequencies[rank - 1] >= 5]
    return float(numpy.polyfit(*numpy.log10(numpy.array(points, dtype=float)).T, 1)[0])


def site_richness(path):
    shares = collections.defaultdict(list)
    for page in pages(path):
        if page["main_bytes"]:
            shares[page["host"]].append(page["languages"].get("urd", 0) / page["main_bytes"] * 100)
    return {host: sum(of) / len(of) for host, of in shares.items()}


def ranking(path):
    for host in sorted(site_richness(path), key=lambda host: hashlib.sha1(host.encode()).digest()):
        print(host)


def compare(path, report, ranking):
    figures = json.load(open(report))["corpora"][0]
    richness, figures = figures["ranking"], figures["figures"]
    bins, texts = [0] * 5, collections.Counter()
    counts = [collections.Counter() for _ in range(3)]
    heads, own = collections.Counter(), 0
    lsh = MinHashLSH(params=(16, 8), num_perm=128)
    met = 0
    for number, page in enumerate(pages(path)):
        target, text = page["languages"].get("urd", 0), page["text"]
        if page["main_bytes"]:
            reached = [target * 100 >= bound * page["main_bytes"] for bound in (50, 80, 90, 95)]
            bins[sum(reached)] += 1
        texts[hashlib.md5(text.encode()).hexdigest()] += 1
        all_words = []
        for words in blocks(text):
            all_words += words
            heads.update(words[:-1])
            own += sum(OWN.fullmatch(word) is not None for word in words)
            for n in range(3):
                counts[n].update(tuple(words[at : at + n + 1]) for at in range(len(words) - n))
        sketch = MinHash(num_perm=128)
        for at in range(max(1, len(all_words) - 4)):
            sketch.update(" ".join(all_words[at : at + 5]).encode())
        met += bool(lsh.query(sketch))
        lsh.insert(str(number), sketch)
    running = sum(counts[1].values())
    entropy = -sum(c / running * math.log2(c / heads[pair[0]]) for pair, c in counts[1].items())
    order = {host: rank for rank, host in enumerate(open(ranking).read().split(), 1)}
    means = site_richness(path)
    spearman = scipy.stats.spearmanr([-means[h] for h in means], [order[h] for h in means]).statistic
    exact = sum(texts.values()) - len(texts)
    words = figures["words"]
    rows = [
        ("LSh bins", bins, [b["count"] for b in figures["richness"]["main_bytes"]["bins"]], 0),
        ("types of 1, 2, 3 words", [len(c) for c in counts], [z["types"] for z in words["zipf"]], 0),
        ("running 1, 2, 3 words", [sum(c.values()) for c in counts], [z["tokens"] for z in words["zipf"]], 0),
        ("target tokens", own, words["vocabulary"]["own_tokens"], 0),
        ("exact duplicates", exact, figures["duplicates"]["exact"], 0),
        ("mean SiteR", sum(means.values()) / len(means), figures["sites"]["site_richness_mean"], 1e-6),
        ("Zipf slopes", [slope(c) for c in counts], [z["slope"] for z in words["zipf"]], 1e-9),
        ("conditional entropy", entropy, words["lengths"]["entropy"], 1e-9),
        ("Spearman", spearman, richness[-1]["spearman"], 1e-9),
        ("near duplicates, MinHash (datasketch's; a sketch)", met - exact, figures["duplicates"]["near_minhash"], None),
    ]
    failed = 0
    for name, theirs, ours, tolerance in rows:
        equal = tolerance is None or numpy.allclose(theirs, ours, rtol=0, atol=tolerance)
        failed += not equal
        print(f"{name}: {theirs} | {ours}{'' if equal else '  DIFFERS'}")
    return failed


if __name__ == "__main__":
    sys.exit(bool({"ranking": ranking, "compare": compare}[sys.argv[1]](*sys.argv[2:])))
