#!/usr/bin/env python3
"""Learns what the names that templates give their elements say, from annotated pages: a line for each score, with its names.

    names.py SET ... > names.txt

A SET is a folder as train.py takes it. For every name in a class or id attribute: by how much the share of main content in the text of
such elements is over that of their page, in percent; the mean over the pages of a site, then over sites, drawn towards 0 by four sites
that know nothing. Names of fewer than SITES sites and names that say little are left out, so that a name is a habit of many
templates, not one site's.

Needs lxml beside what train.py needs.
"""
import collections, pathlib, re, sys
from urllib.parse import urlparse
from lxml import etree, html
from train import in_gold, tokens

SITES = 12
LEAST = 12
NO_LEVELS = {"html", "body", "a", "span", "b", "i", "em", "strong", "img", "font", "label"}
NO_TEXT = {"script", "style", "noscript", "head"}


def names(value):
    """As marks.rs cuts them."""
    return {name.lower() for run in re.findall("[A-Za-z]+", value) for name in re.sub("([a-z])([A-Z])", r"\1 \2", run).split()}


def texts(root):
    """Every piece of text with the names around it."""
    around = [frozenset()]
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        is_element = isinstance(element.tag, str)
        if event == "start":
            if is_element:
                own = frozenset()
                if element.tag not in NO_LEVELS:
                    own = names(f"{element.get('class') or ''} {element.get('id') or ''}")
                around.append(around[-1] | own)
                hidden += element.tag in NO_TEXT
                if not hidden and element.text:
                    yield element.text, around[-1]
            continue
        if is_element:
            around.pop()
            hidden -= element.tag in NO_TEXT
        if not hidden and element.tail:
            yield element.tail, around[-1]


def main(*folders):
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    for folder in map(pathlib.Path, folders):
        for line in (folder / "index.tsv").read_text("utf-8").splitlines():
            page, url = line.split("\t")[:2]
            source = (folder / "html" / (page + ".html")).read_text("utf-8").replace("\0", "")
            gold_file = folder / "gold" / (page + ".txt")
            gold = tokens(gold_file.read_text("utf-8")) if gold_file.exists() else []
            try:
                root = html.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", source))
            except (etree.ParserError, ValueError):
                continue
            pieces = [(tokens(text), around) for text, around in texts(root)]
            found = in_gold([token for piece, _ in pieces for token in piece], gold)
            if not gold or not len(found):
                continue
            total, content, at = collections.Counter(), collections.Counter(), 0
            for piece, around in pieces:
                hits = int(found[at:at + len(piece)].sum())
                at += len(piece)
                for name in around if piece else ():
                    total[name] += len(piece)
                    content[name] += hits
            for name in total:
                seen[name][urlparse(url).netloc or url].append(content[name] / total[name] - found.mean())
    scores = collections.defaultdict(list)
    for name, sites in sorted(seen.items()):
        mean = sum(sum(pages) / len(pages) for pages in sites.values()) / (len(sites) + 4)
        score = max(-100, min(100, round(100 * mean)))
        if len(sites) >= SITES and len(name) > 1 and abs(score) >= LEAST:
            scores[score].append(name)
    for score, found in sorted(scores.items()):
        print(score, *found)


if __name__ == "__main__":
    main(*sys.argv[1:])
