#!/usr/bin/env python3
"""Grows the trees of the extractor `best` on annotated pages.

    train.py FEATURES WORK MODEL SET[=WEIGHT] ... [--measure SET ...]
    train.py --posts FEATURES WORK MODEL SET[=WEIGHT] ... [--measure SET ...]

With --posts it grows the forest for threads of forums, which decides after the two forests that FEATURES has.
FEATURES is the program of examples/features.rs, WORK a folder for intermediate files, MODEL the file to write. A SET is a folder with
html/NAME.html (UTF-8), gold/NAME.txt and index.tsv (name, URL, language); every page of a set counts as much as the others, times WEIGHT.
Text in optional/NAME.txt is neither learned from nor scored. Pages of one site are never in different folds, so the figures that are
printed are those of sites that were not learned from. The sets after --measure are not learned from: the forests are measured on them.

A set to learn from is refused if its annotations are not under an open licence (docs/adr/0010).

Needs lightgbm 4.7.0, lxml, numpy and scipy. Seeds are fixed: the same pages give the same model on the same machine.
"""
import collections, pathlib, pickle, re, struct, subprocess, sys, unicodedata, functools, zlib
from urllib.parse import urlparse
import numpy as np
import lightgbm as lgb
from logarithms import without_log
from sets import OPEN, licence

FOLDS = 3
LEAVES = 16  # no more than forest.rs has bits for
FIRST = dict(num_leaves=LEAVES, min_data_in_leaf=150, learning_rate=0.08, lambda_l2=20.0, feature_fraction=0.5)
FIRST_TREES = 250
SECOND = dict(num_leaves=LEAVES, min_data_in_leaf=150, learning_rate=0.08, lambda_l2=20.0, feature_fraction=0.6)
SECOND_TREES = 300
# The forest that decides which gold is believed: fewer trees that learn faster come to the same pages.
QUICK = dict(FIRST, learning_rate=0.2)
QUICK_TREES = 100
# The forest of posts: a few threads show what the others add to the scores of the two forests.
POSTS = dict(num_leaves=8, min_data_in_leaf=100, learning_rate=0.08, lambda_l2=20.0, feature_fraction=0.5)
POSTS_TREES = 60
# The weight of pages of forums. They are few, and their posts look like comments, which are boilerplate on all other pages.
FORUMS = 2.0
# A block that is more likely main content than not is kept.
THRESHOLD = 0.5
# The mean F1 changes by this much if only the random seeds change.
CHANCE = 0.001
# Suffix of the sets that boilerplate.py makes. They do not count when the threshold is chosen.
MORE = "-boilerplate"
COMMON = dict(objective="cross_entropy", max_bin=127, seed=1, deterministic=True, force_row_wise=True, num_threads=2, verbosity=-1,
              min_sum_hessian_in_leaf=0.05)

UNSPACED = re.compile("[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\uaa60-\uaa7f\u1780-\u17ff]")
IGNORED = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0640]")


@functools.lru_cache(None)
def kind(char):
    category = unicodedata.category(char)[0]
    if category in "LM" and UNSPACED.match(char):
        return 2
    return 1 if category in "LMN" else 0


def tokens(text):
    """Runs of letters, marks and digits; of unspaced scripts each character."""
    out, word = [], []
    for char in IGNORED.sub("", unicodedata.normalize("NFKC", text)).casefold():
        if kind(char) == 1:
            word.append(char)
            continue
        if word:
            out.append("".join(word))
            word = []
        if kind(char) == 2:
            out.append(char)
    if word:
        out.append("".join(word))
    return out


def score(found, gold, optional=collections.Counter()):
    """Precision, recall and F1 of a bag of words. Words of `optional` that the gold lacks count neither way."""
    found = found - ((found - gold) & optional)
    hits = sum((found & gold).values())
    precision, recall = hits / max(1, sum(found.values())), hits / sum(gold.values())
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0


def in_gold(page, gold, n=4):
    """For each token of the page whether it lies in an n-gram of the gold; long runs first, no n-gram more often than in the gold."""
    n = max(1, min(n, len(gold)))
    left = collections.Counter(tuple(gold[i:i + n]) for i in range(len(gold) - n + 1))
    hits = [tuple(page[i:i + n]) in left for i in range(len(page) - n + 1)] + [False]
    runs, start = [], None
    for i, hit in enumerate(hits):
        if hit and start is None:
            start = i
        elif not hit and start is not None:
            runs.append((start, i))
            start = None
    found = np.zeros(len(page), bool)
    for start, end in sorted(runs, key=lambda run: (run[0] - run[1], run[0])):
        for i in range(start, end):
            gram = tuple(page[i:i + n])
            if left[gram] > 0:
                left[gram] -= 1
                found[i:i + n] = True
    return found


def feature_names(program):
    """The names of a block's features, of its context's and of posts', as src/best/features.rs declares them."""
    printed = subprocess.run([program, "names"], check=True, capture_output=True, text=True).stdout
    return [line.split() for line in printed.splitlines()]


class Set:
    """The blocks of a set's pages, or with the verb `posts` those of its threads."""
    def __init__(self, program, work, folder, weight, verb="blocks"):
        self.name, self.folder, self.weight = folder.name, folder, weight
        self.features, self.context_features, post_features = feature_names(program)
        if verb == "posts":
            self.features += self.context_features + post_features
        self.base = str(work / (folder.name + verb.removeprefix("blocks")))
        subprocess.run([program, verb, folder / "html", self.base], check=True)
        index = [line.split("\t") for line in (folder / "index.tsv").read_text("utf-8").splitlines()]
        sites = {row[0]: urlparse(row[1]).netloc or row[1] for row in index}
        self.languages = {row[0]: row[2] for row in index}
        cache = pathlib.Path(self.base + ".labels")
        key = zlib.crc32(pathlib.Path(self.base + ".texts").read_bytes())
        if cache.exists():
            loaded = pickle.load(open(cache, "rb"))
            if loaded[0] == key:
                self.pages, self.y, self.w, self.ids, self.counts, self.gold, self.optional = loaded[1:]
                self.fold = np.array([zlib.crc32(sites[p].encode()) % FOLDS for p in self.pages])[self.ids]
                return
        pages, ids, bags = [], [], []
        for line in open(self.base + ".texts", encoding="utf-8", newline="\n"):
            page, text = line.rstrip("\n").split("\t", 1)
            if not pages or pages[-1] != page:
                pages.append(page)
            ids.append(len(pages) - 1)
            bags.append(tokens(text))
        self.pages, self.ids, self.counts = pages, np.array(ids), [collections.Counter(bag) for bag in bags]
        size = np.array([len(bag) for bag in bags], np.float32)
        self.y, self.w, self.gold, self.optional = np.zeros(len(bags), np.float32), np.zeros(len(bags), np.float32), [], []
        starts = np.searchsorted(self.ids, np.arange(len(pages) + 1))
        for p, page in enumerate(pages):
            a, b = starts[p], starts[p + 1]
            file = folder / "gold" / (page + ".txt")
            gold = tokens(file.read_text("utf-8")) if file.exists() else []
            self.gold.append(collections.Counter(gold))
            beside = folder / "optional" / (page + ".txt")
            beside = tokens(beside.read_text("utf-8")) if beside.exists() else []
            self.optional.append(collections.Counter(beside))
            if not gold:
                continue
            words = [t for bag in bags[a:b] for t in bag]
            found = in_gold(words, gold)
            either = in_gold(words, beside) & ~found if beside else np.zeros(len(words), bool)
            ends = np.concatenate([[0], np.cumsum(size[a:b])]).astype(int)
            counted = np.ones(b - a, np.float32)
            for i in range(b - a):
                if ends[i + 1] > ends[i]:
                    self.y[a + i] = found[ends[i]:ends[i + 1]].mean()
                    counted[i] -= either[ends[i]:ends[i + 1]].mean()
            weight = np.minimum(size[a:b] / max(len(gold), 60), 1.0) * counted
            self.w[a:b] = weight * min(1.0, 4.0 / max(weight.sum(), 1e-9))
        self.fold = np.array([zlib.crc32(sites[p].encode()) % FOLDS for p in pages])[self.ids]
        pickle.dump((key, self.pages, self.y, self.w, self.ids, self.counts, self.gold, self.optional), open(cache, "wb"))

    def rows(self):
        return np.fromfile(self.base + ".features", "<f4").reshape(len(self.y), len(self.features))

    @functools.cached_property
    def letters(self):
        """The letters of each block, weighted as measure.rs does."""
        return without_log(self.rows()[:, self.features.index("Letters")])

    def context(self, program, probable):
        probable.astype("<f4").tofile(self.base + ".probable")
        subprocess.run([program, "context", self.folder / "html", self.base], check=True)
        return np.fromfile(self.base + ".context", "<f4").reshape(len(self.y), len(self.context_features))

    def scores(self, kept):
        """Precision, recall, F1 and language of every page with gold."""
        bags = [collections.Counter() for _ in self.pages]
        for i in np.flatnonzero(kept):
            bags[self.ids[i]].update(self.counts[i])
        rows = []
        for page, bag, gold, optional in zip(self.pages, bags, self.gold, self.optional):
            if gold:
                rows.append((*score(bag, gold, optional), self.languages[page], page))
        return rows


def ordered(features):
    """The bits of floats as integers of the same order; and back."""
    bits = features.astype(np.float32).view(np.int32)
    return bits ^ ((bits >> 31) & 0x7fffffff)


def key(features):
    """The features as forest.rs compares them."""
    return (ordered(features) >> 16).astype(np.int16)


def rounded(features):
    """The features, rounded as their keys are."""
    return ordered((key(features).astype(np.int32) << 16).view(np.float32)).view(np.float32)


def grow(x, y, w, settings, trees):
    """Of short blocks, which are most, a third is learned from, three times as much."""
    short = w < 0.02
    drawn = ~short | (np.random.default_rng(1).random(len(w)) < 1 / 3)
    x, y, w = x[drawn], y[drawn], np.where(short, 3 * w, w)[drawn]
    return lgb.train({**COMMON, **settings}, lgb.Dataset(x, y, weight=w, free_raw_data=False), trees)


def out_of_fold(x, y, w, fold, settings, trees):
    out = np.zeros(len(y), np.float32)
    for k in range(FOLDS):
        learn = (fold != k) & (w > 0)
        out[fold == k] = grow(x[learn], y[learn], w[learn], settings, trees).predict(x[fold == k], num_threads=2)
    return out


def both_out_of_fold(program, sets, x, y, w, fold):
    """The scores of both forests for sites that are not in their training data, and the features of the second."""
    ends = np.cumsum([len(s.y) for s in sets])[:-1]
    first = np.split(out_of_fold(x, y, w, fold, FIRST, FIRST_TREES), ends)
    context = np.concatenate([s.context(program, p) for s, p in zip(sets, first)])
    both = np.concatenate([x, rounded(context)], axis=1)
    second = np.split(out_of_fold(both, y, w, fold, SECOND, SECOND_TREES), ends)
    return first, second, both


def trust(s, probable, threshold):
    """How much each block counts for how far its page's gold is believed: not at all where trees that grew on other sites come to an F1 of .3
    and less, wholly from .7. Gold that nothing on other sites bears out is more often wrong than new."""
    believed = np.ones(len(s.pages))
    for _, _, f1, _, page in s.scores(keep(s, probable, threshold)):
        believed[s.pages.index(page)] = np.clip((f1 - 0.3) / 0.4, 0, 1)
    return believed[s.ids]


def report(sets, probable, title, thresholds):
    """Prints how well sites come out that were not learned from. Of thresholds that are as good but for chance the highest is taken: a
    corpus would rather lack a block than have boilerplate."""
    means = {}
    for threshold in thresholds:
        means[threshold] = np.mean([np.mean([row[2] for row in s.scores(keep(s, p, threshold))]) for s, p in zip(sets, probable) if not s.name.endswith(MORE)])
    print("F1 by threshold:", " ".join(f"{threshold} {mean:.4f}" for threshold, mean in means.items()))
    threshold = max(threshold for threshold, mean in means.items() if mean >= max(means.values()) - CHANCE)
    print(f"{title}: threshold {threshold}")
    for s, p in zip(sets, probable):
        rows = s.scores(keep(s, p, threshold))
        by = collections.defaultdict(list)
        for row in rows:
            by[row[3]].append(row[2])
        mean = [np.mean([row[i] for row in rows]) for i in range(3)]
        languages = sorted(by.items(), key=lambda item: -len(item[1]))[:8]
        print(f"  {s.name:12} P {mean[0]:.3f} R {mean[1]:.3f} F1 {mean[2]:.3f}  " + " ".join(f"{l}({len(v)}) {np.mean(v):.3f}" for l, v in languages), flush=True)
    return threshold


def measure(program, sets, trees, threshold):
    """Prints how well the forests do on sets that they did not learn from."""
    probable = []
    for s in sets:
        x = rounded(s.rows())
        context = s.context(program, trees[0].predict(x, num_threads=2))
        probable.append(trees[1].predict(np.concatenate([x, rounded(context)], axis=1), num_threads=2))
    report(sets, probable, "measured", [threshold])


def keep(s, probable, usual):
    """As `best` keeps, see `threshold` in src/best/mod.rs."""
    def per_page(values):
        return np.bincount(s.ids, values, minlength=len(s.pages))

    content = per_page(probable * s.letters)
    threshold = np.full(len(s.pages), 0.1)
    for step in range(round((usual - 0.1) / 0.05) - 1, -1, -1):
        lower = usual - 0.05 * step
        kept = s.letters * (probable >= lower)
        fits = lower * (per_page(kept) + content) <= 0.75 * 2 * per_page(kept * probable)
        threshold[fits] = lower
    top = np.zeros(len(s.pages))
    np.maximum.at(top, s.ids, probable)
    return probable >= np.where(top >= threshold, threshold, top * 0.5)[s.ids]


def read_sets(program, work, folders, verb="blocks"):
    """The sets to learn from, and those after --measure."""
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    sets = []
    end = folders.index("--measure") if "--measure" in folders else len(folders)
    measured = [Set(program, work, pathlib.Path(folder), 1.0, verb) for folder in folders[end + 1:]]
    for folder in folders[:end]:
        folder, _, weight = folder.partition("=")
        name = pathlib.Path(folder).name
        if licence(name) not in OPEN or name.endswith(("-held", "-test")):
            sys.exit(f"{name} measures only: its licence is '{licence(name)}', or it is held back; learned from are sets under {', '.join(sorted(OPEN))}")
        sets.append(Set(program, work, pathlib.Path(folder), float(weight or 1), verb))
    return sets, measured


def grow_posts(program, work, model, *folders):
    """Grows the forest of posts. Of its sites it reports what trees of other sites find."""
    sets, measured = read_sets(program, work, folders, "posts")
    x = rounded(np.concatenate([s.rows() for s in sets]))
    y = np.concatenate([s.y for s in sets])
    w = np.concatenate([s.w * s.weight for s in sets])
    fold = np.concatenate([s.fold for s in sets])

    def grown(learn):
        return lgb.train({**COMMON, **POSTS}, lgb.Dataset(x[learn], y[learn], weight=w[learn], free_raw_data=False), POSTS_TREES)

    found = np.zeros(len(y), np.float32)
    for k in range(FOLDS):
        found[fold == k] = grown((fold != k) & (w > 0)).predict(x[fold == k], num_threads=2)
    trees = grown(w > 0)
    ends = np.cumsum([len(s.y) for s in sets])[:-1]
    before = sets[0].features.index("Probable")
    for title, probable in ("before", np.split(x[:, before], ends)), ("posts", np.split(found, ends)):
        report(sets, probable, title, [THRESHOLD])
    for title, judge in ("measured before", lambda x: x[:, before]), ("measured", lambda x: trees.predict(x, num_threads=2)):
        report(measured, [judge(rounded(s.rows())) for s in measured], title, [THRESHOLD])
    pathlib.Path(model).write_bytes(exported(trees))


def main(program, work, model, *folders):
    sets, measured = read_sets(program, work, folders)
    x = rounded(np.concatenate([s.rows() for s in sets]))
    y = np.concatenate([s.y for s in sets])
    w = np.concatenate([s.w * s.weight for s in sets])
    fold = np.concatenate([s.fold for s in sets])
    forum = x[:, sets[0].features.index("PageForum")] > 0
    w[forum] *= FORUMS
    thresholds = [0.35, 0.4, 0.45, THRESHOLD]
    quick = np.split(out_of_fold(x, y, w, fold, QUICK, QUICK_TREES), np.cumsum([len(s.y) for s in sets])[:-1])
    threshold = report(sets, quick, "all pages believed", thresholds[-1:])
    trusted = np.concatenate([trust(s, p, threshold) for s, p in zip(sets, quick)])
    w *= np.where(forum, 1, trusted)
    first, second, both = both_out_of_fold(program, sets, x, y, w, fold)
    report(sets, first, "first", thresholds)
    threshold = report(sets, second, "second", thresholds)
    learn = w > 0
    trees = [grow(x[learn], y[learn], w[learn], FIRST, FIRST_TREES), grow(both[learn], y[learn], w[learn], SECOND, SECOND_TREES)]
    if measured:
        measure(program, measured, trees, threshold)
    names = sets[0].features + ["near " + name for name in sets[0].context_features]
    for t in trees:
        gain = t.feature_importance("gain")
        print("gain", " ".join(f"{names[i]}:{gain[i] / gain.sum():.3f}" for i in np.argsort(-gain)[:30]), "unused", [names[i] for i in range(len(gain)) if gain[i] == 0])
    pathlib.Path(model).write_bytes(export(trees, threshold))


def export(forests, threshold):
    """The model file, little-endian: f32 threshold, then each forest."""
    return struct.pack("<f", threshold) + b"".join(exported(forest) for forest in forests)


def exported(forest):
    """A forest: u16 number of trees, and each tree from its root: a split is u8 feature and i16 bound (see `key`), then the branch of what
    is at most that, then the other; a leaf is u8 255, i8 in 1/200."""
    trees = forest.dump_model()["tree_info"]
    out = bytearray(struct.pack("<H", len(trees)))

    def walk(node):
        if "leaf_value" in node:
            out.extend(struct.pack("<Bb", 255, max(-128, min(127, round(node["leaf_value"] * 200)))))
            return
        bound = np.float32(min(node["threshold"], np.finfo(np.float32).max))
        if float(bound) > node["threshold"]:
            bound = np.nextafter(bound, np.float32(-np.inf))
        out.extend(struct.pack("<Bh", node["split_feature"], key(bound.reshape(1))[0]))
        walk(node["left_child"])
        walk(node["right_child"])

    for tree in trees:
        walk(tree["tree_structure"])
    return bytes(out)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--posts"]:
        grow_posts(*arguments[1:])
    else:
        main(*arguments)
