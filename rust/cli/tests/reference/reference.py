"""The report's figures again, from their definitions in docs/report.md, with other people's libraries: NumPy (quantiles), SciPy
(Spearman's coefficient, regression, entropy), regex (Unicode's classes and scripts), datasketch (MinHash).

    reference.py generate FOLDER [PAGES]        corpora a.jsonl and b.jsonl, and ranking.csv, always the same
    reference.py ranking CORPUS                 some order of a corpus's sites, for --ranking
    reference.py compare REPORT.json RANKING CORPUS...
                                                each figure beside the report's; ends with a sentence where they differ
"""

import collections
import hashlib
import io
import json
import math
import pathlib
import random
import sys
import urllib.parse

TARGET = "urd"
HARD = "\u06d4\u061f\u0964\u0965\u0589\u104b\u1362\u3002\uff01\uff1f"
SOFT = ".!?\u2026"
THRESHOLDS = (32, 64, 128, 256, 512)
BANDS, ROWS, SHINGLE = 16, 8, 5

# --- a corpus -------------------------------------------------------------------------------------

URDU = "ابپتجچحخدرزسشصطعغفقکگلمنوہیے"
LATIN = "abcdefghijklmnopqrstuvwxyz"


def word(rank, letters):
    """Another word for each rank, the frequent ones short but for some."""
    ending = letters[:5] if rank % 13 == 9 else ""
    rank += len(letters) + 2
    text = ""
    while rank:
        rank, letter = divmod(rank, len(letters))
        text += letters[letter]
    return text + ending


def sentences(draw, count, letters):
    words = [word(int(20_000 ** draw.random()), letters) for _ in range(count)]
    stop = "۔" if letters is URDU else "."
    for at in range(draw.randint(6, 20), count, draw.randint(6, 20)):
        words[at] += draw.choice([stop, stop, "؟" if letters is URDU else "?!", "،", " –"])
    for at in range(draw.randint(20, 60), count, draw.randint(40, 90)):
        words[at] += "\n"
    return " ".join(words).replace("\n ", "\n")


def generate(folder, pages=400):
    """Two corpora that share URLs, in two scripts; pages that are equal, that have one profile, that share more or fewer of their
    sequences of words; sites with the same SiteR, and a ranking with ties."""
    draw = random.Random(20180917)
    records = []
    for number in range(int(pages)):
        letters = LATIN if number % 7 == 3 else URDU
        text = sentences(draw, draw.choice([3, 12, 60, 250, 400]), letters)
        kind = number % 20
        before = records[-1]["text"].split(" ") if records else []
        if kind == 5:
            text = records[-1]["text"]
        elif kind == 11 and len(before) > 50:
            # The same words in another order.
            draw.shuffle(before)
            text = " ".join(before)
        elif kind in (8, 14, 17) and len(before) > 50:
            # One word in so many is another: most sequences of five are left, or half, or few.
            step = {8: 150, 14: 35, 17: 25}[kind]
            text = " ".join("غیر" if at % step == step // 2 else one for at, one in enumerate(before))
        length = len(text.encode())
        # Few different shares, so that sites are equally rich.
        target = length * draw.choice([0, 1, 2, 2]) // 2 if number % 31 else length // 3
        host = f"s{int(pages) * number % 61 % (1 + number % 40)}.pk"
        records.append({
            "url": f"http://{host}/" + "/".join(f"p{part}" for part in range(number % 5)) + f"?{number}",
            "host": host, "round": number // 100 + 1, "text": text, "raw_bytes": length * 11 + (number % 50 == 0) * 1_100_000,
            "visible_bytes": length * 3 // 2, "main_bytes": length,
            "languages": {"urd": target, "eng": (length - target) // 3, "und": length - target - (length - target) // 3},
            "signature": hashlib.md5((text if number % 3 else str(number)).encode()).hexdigest(),
        })
    folder = pathlib.Path(folder)
    for name, part in (("a", records[: len(records) * 2 // 3]), ("b", records[len(records) // 4 :])):
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in part)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    hosts = sorted({record["host"] for record in records}, key=lambda host: hashlib.sha1(host.encode()).digest())
    (folder / "ranking.csv").write_text("".join(f"{rank // 3 + 1},{host}\n" for rank, host in enumerate(hosts) if rank % 9))


def pages_of(path):
    """The pages in the corpus, of several with one URL the first."""
    import zstandard

    with open(path, "rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file) if str(path).endswith(".zst") else file
        records = [json.loads(line) for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n")]
    pages = {}
    for record in records:
        if not record.get("gone") and not record.get("decision", "").startswith("reject"):
            record.setdefault("host", urllib.parse.urlsplit(record["url"]).hostname or "")
            record.setdefault("main_bytes", len(record["text"].encode()))
            pages.setdefault(record["url"], record)
    return list(pages.values())


def ranking(path):
    hosts = {page["host"] for page in pages_of(path)}
    print("\n".join(sorted(hosts, key=lambda host: hashlib.sha1(host.encode()).digest())))


# --- texts ----------------------------------------------------------------------------------------


def blocks_of(text):
    """Blocks of sentences of tokens. A sentence ends at a hard sign, at a soft one at a token's end, and at the block's end."""
    import regex

    edge = regex.compile(r"[\p{P}\p{S}\p{C}]")
    blocks = []
    for line in text.split("\n"):
        sentences = [[]]
        for piece in regex.findall(rf"[{HARD}]|[^\s{HARD}]+", line):
            if piece in HARD:
                sentences.append([])
                continue
            start, end = 0, len(piece)
            while start < end and edge.match(piece[start]):
                start += 1
            while end > start and edge.match(piece[end - 1]):
                end -= 1
            if start < end:
                sentences[-1].append(piece[start:end])
            # Signs that stand alone belong to the token before.
            if any(sign in SOFT for sign in (piece[end:] if start < end else piece)):
                sentences.append([])
        if sentences := [sentence for sentence in sentences if sentence]:
            blocks.append(sentences)
    return blocks


def java_hash(text):
    units = text.encode("utf-16-be")
    value = 0
    for high, low in zip(units[::2], units[1::2]):
        value = (value * 31 + (high << 8 | low)) & 0xFFFFFFFF
    return value ^ value >> 16


def profile(text, as_nutch):
    """Nutch's TextProfileSignature: with the order of a HashMap where counts are equal, or sorted and with marks in words."""
    import regex

    letters = r"[\p{L}\p{Nd}]+" if as_nutch else r"[\p{L}\p{Nd}\p{Mn}\p{Mc}]+"
    counts = collections.Counter(one for one in regex.findall(letters, text.lower()) if len(one.encode("utf-16-be")) > 4)
    most = max(counts.values(), default=0)
    quantum = math.floor(most * 0.01 + 0.5)
    if quantum < 2:
        quantum = 2 if most > 1 else 1
    buckets = 16
    while len(counts) * 4 > buckets * 3:
        buckets *= 2
    words = [(one, count // quantum * quantum) for one, count in counts.items() if count >= quantum]
    words.sort(key=(lambda pair: java_hash(pair[0]) & buckets - 1) if as_nutch else (lambda pair: pair[0].encode()))
    words.sort(key=lambda pair: -pair[1])
    return hashlib.md5("\n".join(f"{one} {count}" for one, count in words).encode()).digest()


def script_of(text):
    import regex

    counts = collections.Counter()
    for name in ("Arabic", "Latin", "Cyrillic", "Greek", "Hebrew", "Devanagari", "Bengali", "Thai", "Hangul"):
        counts[name] = len(regex.findall(rf"[[\p{{L}}\p{{M}}]&&\p{{Script={name}}}]", text, regex.V1))
    counts["Han"] = len(regex.findall(r"[[\p{L}\p{M}]&&[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]", text, regex.V1))
    name, count = counts.most_common(1)[0]
    return name if count else None


# --- figures --------------------------------------------------------------------------------------


def jaccard(a, b):
    return len(a & b) / len(a | b)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def share_bins(pairs):
    bins, shares = [0] * 5, []
    for part, whole in pairs:
        if whole:
            bins[sum(part * 100 >= bound * whole for bound in (50, 80, 90, 95))] += 1
            shares.append(min(part / whole, 1) * 100)
    return bins, mean(shares)


def zipf(counts):
    """Ranks spaced evenly in the logarithm with their frequencies, and the line through those of 5 and more."""
    import numpy
    import scipy.stats

    frequencies = sorted(counts.values(), reverse=True)
    ranks, step = [], 0
    while frequencies and (not ranks or ranks[-1] < len(frequencies)):
        rank = min(math.floor(10 ** (step / 20) + 0.5), len(frequencies))
        if not ranks or rank > ranks[-1]:
            ranks.append(rank)
        step += 1
    points = [(rank, frequencies[rank - 1]) for rank in ranks]
    logs = numpy.log10([point for point in points if point[1] >= 5] or numpy.empty((0, 2)))
    slope = float(scipy.stats.linregress(logs[:, 0], logs[:, 1]).slope) if len(logs) >= 3 else None
    return points, slope


def thresholds(sizes):
    sizes = [size for size in sizes if size > 0]
    rows = [(least, sum(s >= max(least, 1) for s in sizes), sum(s for s in sizes if s >= max(least, 1))) for least in (0, *THRESHOLDS)]
    # The fewest pages; of thresholds that leave as many the least.
    good = [(pages, least) for least, pages, size in rows[1:] if size * 100 >= rows[0][2] * 95 and rows[0][2]]
    return [list(row) for row in rows], min(good)[1] if good else None


def met_pages(sketches):
    """Pages that share a band with an earlier one."""
    from datasketch import MinHashLSH

    index, met = MinHashLSH(params=(BANDS, ROWS), num_perm=BANDS * ROWS), 0
    for number, sketch in enumerate(sketches):
        met += bool(index.query(sketch))
        index.insert(str(number), sketch)
    return met


def expected_to_meet(shingles):
    """How many of these texts share a band with an earlier one on average, and the standard deviation: texts of different content meet
    by chance, pair by pair, with probability 1 - (1 - J^8)^16. None if a text has several neighbours, whose chances are not apart."""
    holders = collections.defaultdict(list)
    pairs = set()
    for number, one in enumerate(shingles):
        for shingle in one:
            pairs.update((before, number) for before in holders[shingle][:50])
            holders[shingle].append(number)
    chances, neighbours = [], collections.Counter()
    for a, b in pairs:
        index = jaccard(shingles[a], shingles[b])
        # A pair below meets once in ten thousand times.
        if index > 0.2:
            neighbours.update((a, b))
            chances.append(1 - (1 - index**ROWS) ** BANDS)
    if max(neighbours.values(), default=0) > 2:
        return None
    return sum(chances), math.sqrt(sum(chance * (1 - chance) for chance in chances))


class Rows:
    """Figures beside the report's."""

    def __init__(self):
        self.differ = []

    def add(self, name, theirs, ours, tolerance=0.0):
        def flat(value):
            return [leaf for one in value for leaf in flat(one)] if isinstance(value, (list, tuple)) else [value]

        theirs, ours = flat(theirs), flat(ours)
        equal, most = len(theirs) == len(ours), 0.0
        for a, b in zip(theirs, ours):
            if isinstance(a, (int, float)) and isinstance(b, (int, float)):
                most = max(most, abs(a - b))
            else:
                equal &= a == b
        equal &= most <= tolerance
        self.row(name, theirs, ours, f"{most:.3g}" if most else "0", equal)

    def row(self, name, theirs, ours, difference, equal):
        def short(values):
            text = " ".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in values[:6])
            return text + (f" … ({len(values)})" if len(values) > 6 else "")

        print("\t".join([name, short(theirs), short(ours), difference if equal else f"{difference} DIFFERS"]))
        if not equal:
            self.differ.append(name)


def compare_corpus(rows, corpus, pages, rank_of):
    import numpy
    import scipy.stats
    import regex
    from datasketch import MinHash

    figures, name = corpus["figures"], corpus["name"]

    def add(what, theirs, ours, tolerance=0.0):
        rows.add(f"{name}: {what}", theirs, ours, tolerance)

    # Shares are rounded down to billionths, so their means in percent are up to 1e-7 too small.
    rounded = 1.01e-7
    target = [page["languages"].get(TARGET, 0) for page in pages]
    main = [page["main_bytes"] for page in pages]
    totals = figures["totals"]
    add("pages, bytes", [len(pages), sum(main), sum(target)], [totals["pages"], totals["main_bytes"], totals["target_bytes"]])
    for what, key in (("main text", "main_bytes"), ("visible text", "visible_bytes")):
        theirs, ours = share_bins(zip(target, (page.get(key, 0) for page in pages))), figures["richness"][key]
        add(f"LSh of {what}, bins", theirs[0], [one["count"] for one in ours["bins"]])
        add(f"LSh of {what}, mean", theirs[1], ours["mean"], rounded)

    # Sites.
    sites = collections.defaultdict(lambda: [0, 0, []])
    for page, size in zip(pages, target):
        site = sites[page["host"]]
        site[0] += 1
        site[1] += size
        if page["main_bytes"]:
            site[2].append(min(size, page["main_bytes"]) * 10**9 // page["main_bytes"])
    richness = {host: sum(site[2]) / len(site[2]) / 1e7 for host, site in sites.items() if site[2]}
    richest = sorted(richness, key=lambda host: (-richness[host], -sites[host][1], host))
    ours = figures["sites"]
    add("sites, mean SiteR", [len(sites), mean(richness.values())], [ours["sites"], ours["site_richness_mean"]], rounded)
    steps = [q["sites_percent"] / 100 for q in ours["site_richness"]]
    quantiles = numpy.quantile(sorted(richness.values()), steps, method="inverted_cdf")
    add("SiteR, quantiles", [float(q) for q in quantiles], [q["site_richness"] for q in ours["site_richness"]], rounded)
    held = lambda top, part: sum(sites[host][part] for host in richest[:top]) / sum(site[part] for site in sites.values()) * 100
    coverage = [[held(row["sites"], 0), held(row["sites"], 1)] for row in ours["coverage"]]
    add("coverage", coverage, [[row["pages_percent"], row["bytes_percent"]] for row in ours["coverage"]], 1e-9)
    for row in corpus["ranking"]:
        hosts = [host for host in richest[: row["top"]] if host in rank_of]
        theirs = scipy.stats.spearmanr([-richness[host] for host in hosts], [rank_of[host] for host in hosts]).statistic
        add(f"Spearman, top {row['top']}", [len(hosts), float(theirs)], [row["ranked"], row["spearman"]], 1e-9)

    # Languages, sizes, depths, thresholds.
    contained, bytes_in = collections.Counter(), collections.Counter()
    for page in pages:
        whole = sum(page["languages"].values())
        for code, size in page["languages"].items():
            contained[code] += size > 0 and size * 50 >= whole
            bytes_in[code] += size
    ours = sorted(figures["languages"], key=lambda row: row["code"])
    ours = [row for row in ours if row["bytes"]]
    theirs = [[code, contained[code], bytes_in[code]] for code in sorted(bytes_in) if bytes_in[code]]
    add("languages", theirs, [[row["code"], row["pages"], row["bytes"]] for row in ours])
    raw = numpy.array([page["raw_bytes"] for page in pages if "raw_bytes" in page])
    ccdf = [[int((raw >= row["bytes"]).sum())] for row in figures["sizes"]["ccdf"]]
    add("sizes", ccdf, [[row["pages"]] for row in figures["sizes"]["ccdf"]])
    depth = collections.Counter(len([p for p in urllib.parse.urlsplit(page["url"]).path.split("/") if p]) for page in pages)
    add("URL depth", [depth[at] for at in range(max(depth) + 1)], [row["count"] for row in figures["depths"]["pages"]])
    characters = [len(page["text"]) * min(size, len(page["text"].encode())) // max(len(page["text"].encode()), 1) for page, size in zip(pages, target)]
    scripts = [script_of(page["text"]) if size else None for page, size in zip(pages, target)]
    ours = figures["calibration"]
    add("scripts", sorted({one for one in scripts if one}), sorted(of["name"] for of in ours["scripts"]))
    for of in [{"name": None, **ours}, *ours["scripts"]]:
        for unit, sizes in (("bytes", target), ("characters", characters)):
            sizes = [size for size, script in zip(sizes, scripts) if of["name"] in (None, script)]
            table = [[row["threshold"], row["pages"], row["size"]] for row in of[unit]["rows"]]
            add(f"thresholds in {unit}, {of['name'] or 'all'}", thresholds(sizes), [table, of[unit]["choice"]])
    yields = collections.defaultdict(lambda: [0, 0])
    for page, size in zip(pages, target):
        if "round" in page:
            yields[page["round"]][0] += 1
            yields[page["round"]][1] += not page.get("decision", "").startswith("reject")
    ours = figures["rounds"]["rounds"] if figures["rounds"] else []
    add("yield", [[r, *yields[r]] for r in sorted(yields)], [[row["round"], row["pages"], row["kept_pages"]] for row in ours])

    # Words and style.
    own_letters = regex.compile(r"[\u0600-\u06FF\u0750-\u077F\uFB50-\uFDFF\uFE70-\uFEFF]+")
    counts, heads = [collections.Counter() for _ in range(3)], collections.Counter()
    sentence_count, long_words, token_shares = 0, 0, []
    variety, cohesion, coherence, shingles = [], [], [], []
    for page in pages:
        blocks = blocks_of(page["text"])
        tokens = [token for block in blocks for sentence in block for token in sentence]
        token_shares.append((sum(own_letters.fullmatch(token) is not None for token in tokens), len(tokens)))
        long_words += sum(len(token) > 6 for token in tokens)
        variety += [len(set(tokens[at : at + 100])) for at in range(0, len(tokens) - 99, 100)]
        before = None
        for block in blocks:
            sentence_count += len(block)
            cohesion += [jaccard(set(a), set(b)) for a, b in zip(block, block[1:])]
            words = [token for sentence in block for token in sentence]
            heads.update(words[:-1])
            for n in range(3):
                counts[n].update(tuple(words[at : at + n + 1]) for at in range(len(words) - n))
            if len(words) >= 5:
                coherence += [jaccard(before, set(words))] if before else []
                before = set(words)
        width = min(SHINGLE, len(tokens))
        shingles.append({" ".join(tokens[at : at + width]) for at in range(len(tokens) - width + 1)} if tokens else set())
    ours, lengths, style = figures["words"], figures["words"]["lengths"], figures["style"]
    running = sum(counts[0].values())
    own = [sum(n for (token,), n in counts[0].items() if own_letters.fullmatch(token)), sum(own_letters.fullmatch(token) is not None for (token,) in counts[0])]
    add("tokens, types", [running, len(counts[0])], [ours["vocabulary"]["tokens"], ours["vocabulary"]["types"]])
    add("target tokens, types", own, [ours["vocabulary"]["own_tokens"], ours["vocabulary"]["own_types"]])
    token_bins, token_mean = share_bins(token_shares)
    add("LSh of tokens, bins", token_bins, [one["count"] for one in figures["richness"]["main_tokens"]["bins"]])
    add("LSh of tokens, mean", token_mean, figures["richness"]["main_tokens"]["mean"], rounded)
    for n in range(3):
        theirs, line = counts[n], ours["zipf"][n]
        points, slope = zipf(theirs)
        sums = [len(theirs), sum(theirs.values()), sum(count == 1 for count in theirs.values())]
        add(f"sequences of {n + 1}", sums, [line["types"], line["tokens"], line["once"]])
        add(f"frequencies at ranks, {n + 1}", points, line["points"])
        add(f"Zipf slope, {n + 1}", slope, line["slope"], 1e-9)
    # H(Y|X) = H(X,Y) - H(X), over words that another one follows.
    joint, first = (scipy.stats.entropy([n for n in of.values() if n], base=2) for of in (counts[1], heads))
    add("conditional entropy, perplexity", [float(joint - first), float(2 ** (joint - first))], [lengths["entropy"], lengths["perplexity"]], 1e-6)
    chars = sum(len(token) * n for (token,), n in counts[0].items())
    theirs = [chars / running, mean(len(token) for (token,) in counts[0]), sentence_count, running / sentence_count]
    add("lengths", theirs, [lengths[key] for key in ("chars_per_token", "chars_per_type", "sentences", "tokens_per_sentence")], 1e-9)
    add("LIX", running / sentence_count + 100 * long_words / running, style["readability_lix"], 1e-9)
    add("variety, cohesion, coherence", [mean(variety), mean(cohesion), mean(coherence)], [style["variety"], style["cohesion"], style["coherence"]], rounded)

    # Duplicates.
    ours = figures["duplicates"]
    texts = [page["text"] for page in pages if page["text"]]
    different = list(dict.fromkeys(texts))
    add("exact duplicates", len(texts) - len(different), ours["exact"])
    signatures = [page["signature"] for page in pages if "signature" in page]
    add("exact duplicates as fetched", len(signatures) - len(set(signatures)) if signatures else None, ours["exact_bytes"])
    add("near duplicates, Nutch's profile", len(different) - len({profile(text, True) for text in different}), ours["near_nutch"])
    add("near duplicates, sorted profile", len(different) - len({profile(text, False) for text in different}), ours["near_sorted"])
    of_text = dict(zip((page["text"] for page in pages), shingles))
    different = [of_text[text] for text in different if of_text[text]]
    sketches = MinHash.bulk([[shingle.encode() for shingle in one] for one in different], num_perm=BANDS * ROWS, seed=1)
    theirs, chance = met_pages(sketches), expected_to_meet(different)
    if chance is None:
        rows.row(f"{name}: near duplicates, MinHash (not compared: texts have several neighbours)", [theirs], [ours["near_minhash"]], "", True)
    else:
        # Both are draws: within four standard deviations of what the indices of Jaccard say.
        expected, deviation = chance
        equal = all(abs(met - expected) <= 4 * deviation + 0.5 for met in (theirs, ours["near_minhash"]))
        what = f"{name}: near duplicates, MinHash ({expected:.2f} ± {deviation:.2f} by the exact indices)"
        rows.row(what, [theirs], [ours["near_minhash"]], str(abs(theirs - ours["near_minhash"])), equal)


def compare(report, ranking, *paths):
    report = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
    rank_of = {}
    for number, line in enumerate(pathlib.Path(ranking).read_text(encoding="utf-8").split(), 1):
        rank, host = line.split(",") if "," in line else (number, line)
        rank_of[host] = int(rank)
    corpora = [pages_of(path) for path in paths]
    rows = Rows()
    print("figure\tPython\tcorpulyzer\tdifference")
    for corpus, pages in zip(report["corpora"], corpora):
        compare_corpus(rows, corpus, pages, rank_of)
    if len(corpora) == 2:
        first, second = ({page["url"] for page in pages} for pages in corpora)
        hosts = [{page["host"] for page in pages} for pages in corpora]
        theirs = [len(first & second), jaccard(first, second) * 100, len(hosts[0] & hosts[1]), len(hosts[0] - hosts[1]) / len(hosts[0]) * 100]
        ours = [report["comparison"][0][key] for key in ("common_urls", "jaccard_percent", "common_sites", "churn_percent")]
        rows.add("both: URLs, sites in common", theirs, ours, 1e-9)
    if rows.differ:
        sys.exit(f"reference: Python's libraries have other figures than the report: {'; '.join(rows.differ)}")


if __name__ == "__main__":
    sys.exit({"generate": generate, "ranking": ranking, "compare": compare}[sys.argv[1]](*sys.argv[2:]))
