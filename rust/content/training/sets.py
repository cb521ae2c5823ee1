#!/usr/bin/env python3
"""Makes the sets of annotated pages that train.py and score.py take, from checkouts of their repositories.

    sets.py SOURCES TARGET

SOURCES has a checkout of each repository in the folder OWNER+NAME; a set whose checkout is missing is left out with a line that says so.
TARGET gets a folder for each set: html/NAME.html (UTF-8), gold/NAME.txt and index.tsv (name, URL, language). Where a source has no
split of its own, a set is halved by the site: `-dev` is for learning and choosing, `-held` for measuring only. LICENCES says which sets
forests may be learned from; the others measure only, and train.py refuses them.

Needs lxml.
"""
import collections, gzip, hashlib, html, json, pathlib, re, sys
from urllib.parse import urlparse
from lxml import etree, html as lxml_html

# Set, without `-dev` and `-held`: licence of its annotations, repository. Forests are learned from
# sets with a licence of OPEN alone.
OPEN = {"MIT", "Apache-2.0", "CC BY 4.0", "MIT OR Apache-2.0"}
LICENCES = {
    "aeb": ("MIT", "scrapinghub/article-extraction-benchmark"),
    "fundus": ("MIT", "flairNLP/fundus"),
    "wcxb": ("CC BY 4.0", "Murrough-Foley/web-content-extraction-benchmark"),
    "moz": ("Apache-2.0", "mozilla/readability"),
    "npk": ("MIT", "AndyTheFactory/newspaper4k"),
    "harvest": ("Apache-2.0", "fhgr/harvest"),
    "news": ("Apache-2.0", "AndyTheFactory/article-extraction-dataset"),
    "segments": ("Apache-2.0", "adbar/trafilatura"),
    "htmldate": ("Apache-2.0", "adbar/htmldate"),
    # Made of htmldate by agreed.py.
    "agreed": ("Apache-2.0", "adbar/htmldate"),
    # Made by gold.py from our own labels.
    "own": ("Apache-2.0", "gold/pages.tsv"),
    "daniel": ("GPL-3.0", "rundimeco/waddle"),
    "portal": ("none named", "ppke-nlpg/CleanPortalEval"),
    "gn1": ("none named", "j-szulc/html-cleaning-dataset-merged"),
    "dragnet": ("AGPL-3.0", "j-szulc/html-cleaning-dataset-merged"),
    "cleaneval": ("none named", "j-szulc/html-cleaning-dataset-merged"),
}


def licence(name):
    """The licence of a set's annotations, by the name of its folder."""
    return LICENCES.get(re.sub("(-dev|-held|-test|-boilerplate)+$", "", name), ("unknown", ""))[0]


def decoded(data):
    """A page's text: UTF-8 if it is, else as its meta tag says."""
    for charset in ["utf-8", *(found.decode() for found in re.findall(rb"charset=[\"']?([\w-]+)", data[:8192])), "windows-1252"]:
        try:
            return data.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("utf-8", "replace")


def plain(markup):
    """The text of a gold file with tags, a line a block."""
    markup = re.sub(r"(?i)<br\s*/?>|</?(p|div|h\d?|li|l|tr|td|th|section|article|ul|ol|pre|blockquote|figure|figcaption)\b[^>]*>", "\n", markup)
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def declared(source):
    """The language that a page declares, or `-`."""
    found = re.search(r"<html[^>]*\blang=[\"']?([A-Za-z]{2,3})", source)
    return found.group(1).lower() if found else "-"


class Writer:
    def __init__(self, target):
        self.target = pathlib.Path(target)
        self.rows = collections.defaultdict(list)

    def add(self, folder, name, url, source, gold, language=None):
        for kind, file, text in (("html", name + ".html", source), ("gold", name + ".txt", gold)):
            if text is not None:
                path = self.target / folder / kind / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8", errors="replace")
        self.rows[folder].append(f"{name}\t{url}\t{language or declared(source)}\n")

    def close(self):
        for folder, rows in self.rows.items():
            (self.target / folder / "index.tsv").write_text("".join(sorted(rows)), "utf-8")
            print(f"{folder}: {len(rows)} pages, {licence(folder)}")


def half(site):
    return "dev" if hashlib.sha256(site.lower().encode()).digest()[-1] % 2 else "held"


def aeb(folder, out):
    truth = json.loads((folder / "ground-truth.json").read_text("utf-8"))
    for name, page in truth.items():
        out.add("aeb", name, page["url"], decoded(gzip.decompress((folder / "html" / (name + ".html.gz")).read_bytes())), page["articleBody"], "en")


def fundus(folder, out):
    for path in sorted((folder / "tests/resources/parser/test_data").glob("*/*.html.gz")):
        publisher = path.name.split("_")[0]
        file = path.parent / (publisher + ".json")
        cases = json.loads(file.read_text("utf-8")) if file.exists() else {}
        date = path.name[len(publisher) + 1:-len(".html.gz")].replace("_", "-")
        source = decoded(gzip.decompress(path.read_bytes()))
        # A file has a case for each version of the publisher's rules; the page's own is the one
        # whose text it has.
        text = re.sub(r"\W+", "", html.unescape(re.sub(r"<[^>]+>", "", source)))
        best, most = None, 0
        for case in cases.values():
            body = case.get("body") or {}
            parts = list(body.get("summary") or [])
            for section in body.get("sections") or []:
                parts += [*(section.get("headline") or []), *(section.get("paragraphs") or [])]
            hits = sum(len(part) for part in parts if re.sub(r"\W+", "", part)[:60] in text)
            if parts and hits > most and hits > 0.7 * sum(map(len, parts)):
                best, most = parts, hits
        if best:
            out.add("fundus-" + half(publisher), f"{path.parent.name}-{path.name[:-8]}", f"https://{publisher}/{date}", source, "\n".join(best))


def wcxb(folder, out):
    for split in "dev", "test":
        for path in sorted((folder / split / "html").glob("*.html.gz")):
            name = path.name[:-8]
            truth = json.loads((folder / split / "ground-truth" / (name + ".json")).read_text("utf-8"))
            kind = (truth.get("_internal") or {}).get("page_type", {}).get("primary", "-")
            if not truth["ground_truth"].get("main_content"):
                continue
            out.add(f"wcxb-{split}", name, truth.get("url") or f"http://{split}-{name}/", decoded(gzip.decompress(path.read_bytes())), truth["ground_truth"]["main_content"], kind)


def moz(folder, out):
    for path in sorted((folder / "test/test-pages").glob("*/source.html")):
        name = path.parent.name
        source = decoded(path.read_bytes())
        found = re.search(r"<link[^>]*canonical[^>]*href=[\"'](http[^\"']+)|og:url[\"'][^>]*content=[\"'](http[^\"']+)", source)
        site = (urlparse(found.group(1) or found.group(2)).netloc if found else "") or re.sub(r"-?\d+$", "", name)
        out.add("moz-" + half(site), name, f"http://{site}/{name}", source, plain((path.parent / "expected.html").read_text("utf-8")))


def npk(folder, out):
    for path in sorted((folder / "tests/data/txt").glob("*.txt")):
        page = folder / "tests/data/html" / (path.stem + ".html")
        if page.exists():
            out.add("npk", path.stem, f"http://{path.stem.rstrip('_0123456789')}/", decoded(page.read_bytes()), path.read_text("utf-8"))


def harvest(folder, out):
    for path in sorted((folder / "corpus/goldDocuments").glob("*.json")):
        page = json.loads(path.read_text("utf-8"))
        posts = [post["post_text"]["surface_form"] for post in page["gold_standard_annotation"]]
        out.add("harvest-" + half(urlparse(page["url"]).netloc), path.stem, page["url"], page["html"], "\n".join(posts))


def news(folder, out):
    for name, page in json.loads((folder / "articles.json").read_text("utf-8")).items():
        path = folder / "html" / (name + ".html")
        if path.exists():
            out.add("news-" + half(urlparse(page["url"]).netloc), name, page["url"], decoded(path.read_bytes()), page["articleBody"], "en")


def segments(folder, out):
    found = {}
    for url, page in json.loads((folder / "tests/evaldata.json").read_text("utf-8")).items():
        for place in "cache", "eval":
            path = folder / "tests" / place / page["file"]
            if path.exists():
                name = path.stem
                out.add("segments", name, url, decoded(path.read_bytes()), None)
                found[name] = {"with": page["with"], "without": page["without"]}
                break
    (out.target / "segments/segments.json").write_text(json.dumps(found), "utf-8")


def htmldate(folder, out):
    for path in sorted((folder / "tests").glob("*/*.html")):
        source = decoded(path.read_bytes())
        found = re.search(r"<link[^>]*canonical[^>]*href=[\"'](http[^\"']+)|og:url[\"'][^>]*content=[\"'](http[^\"']+)", source)
        out.add("htmldate", path.stem, found and (found.group(1) or found.group(2)) or f"http://{path.stem}/", source, None)


def daniel(folder, out):
    folder = folder / "corpora/Corpus_daniel_v2.1"
    languages = json.loads((folder / "doc_lg.json").read_text("utf-8"))
    for path in sorted((folder / "html").iterdir()):
        gold = folder / "reference" / path.name
        if gold.exists():
            host = path.name.split("_")[1]
            name = path.name.replace(".html", "")
            out.add("daniel-" + half(host), name, f"http://{host}/", decoded(path.read_bytes()), plain(gold.read_text("utf-8", "replace")),
                    languages.get(path.name, "-"))


def merged(folder, out):
    for source, name, split in (("page-signal-master", "gn1", None), ("dragnet_data", "dragnet", None), ("cleaneval-dev", "cleaneval", "dev"),
                                ("cleaneval-final", "cleaneval", "held"), ("CleanPortalEval-master", "portal", "held")):
        for path in sorted((folder / source / "input").iterdir()):
            gold = folder / source / "GoldStandard" / (path.stem + ".txt")
            if not gold.exists():
                continue
            page, text = decoded(path.read_bytes()), decoded(gold.read_bytes())
            found = re.search(r"<link[^>]*canonical[^>]*href=[\"'](http[^\"']+)|og:url[\"'][^>]*content=[\"'](http[^\"']+)", page)
            found = found and (found.group(1) or found.group(2)) or re.search(r"https?://[^\"'\s<>]+", page) and re.search(r"https?://(?!www\.w3\.org|ogp)[^\"'\s<>]+", page)
            url = found if isinstance(found, str) else found.group() if found else path.stem
            if source == "CleanPortalEval-master":
                url = "http://" + path.stem.split("_")[0]
            if source == "dragnet_data":
                # Comments stand behind a mark; the text is what is before it.
                gold_text = re.split(r"!@#\$%\^&\*\(\)\s*COMMENTS", text)[0]
            elif source == "page-signal-master":
                gold_text = highlighted(text)
            else:
                gold_text = plain(re.sub(r"(?m)^\s*URL:.*$", "", text, count=1))
            if gold_text and gold_text.strip():
                out.add(f"{name}-{split or half(urlparse(url).netloc or url)}", path.stem, url, page, gold_text, "en")


def highlighted(markup):
    """L3S-GN1: each piece of text is in a span; headline, text and supplements are in x-nc-sel1 to x-nc-sel3."""
    try:
        root = lxml_html.fromstring(markup)
    except (etree.ParserError, ValueError):
        return None
    wanted = {"x-nc-sel1", "x-nc-sel2", "x-nc-sel3"}
    pieces = []
    for span in root.iter("span"):
        if wanted & set((span.get("class") or "").split()):
            pieces.append(span.text or "")
    return "\n".join(pieces)


def main(sources, target):
    sources, out = pathlib.Path(sources), Writer(target)
    for read, repository in ((aeb, "scrapinghub+article-extraction-benchmark"), (fundus, "flairNLP+fundus"),
                             (wcxb, "Murrough-Foley+web-content-extraction-benchmark"), (moz, "mozilla+readability"),
                             (npk, "AndyTheFactory+newspaper4k"), (harvest, "fhgr+harvest"),
                             (news, "AndyTheFactory+article-extraction-dataset"), (segments, "adbar+trafilatura"), (htmldate, "adbar+htmldate"),
                             (daniel, "rundimeco+waddle"), (merged, "j-szulc+html-cleaning-dataset-merged")):
        if (sources / repository).exists():
            read(sources / repository, out)
        else:
            print(f"no {repository}: its sets are left out")
    out.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
