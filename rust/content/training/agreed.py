#!/usr/bin/env python3
"""Makes a set of annotated pages from pages without annotations: those of which two extractors say nearly the same.

    agreed.py PAGES TARGET LEAVE_OUT

PAGES and LEAVE_OUT are sets as sets.py writes them, TARGET is the folder to write. A page's gold text is what trafilatura keeps with its
preference for precision, on pages where readability-lxml keeps the same words but for an F1 of AGREED. Both are under the Apache License
2.0. Pages of sites that LEAVE_OUT has are left out, so that it can measure.

Needs lxml, trafilatura 2.0.0 and readability-lxml.
"""
import collections, concurrent.futures, pathlib, signal, sys
from urllib.parse import urlparse
import lxml.html, readability, trafilatura
from train import score, tokens

AGREED = 0.93
LEAST_WORDS = 120
SECONDS = 20


def judged(path):
    """A page's text by trafilatura and how far readability agrees; None if one of them has too little, fails or takes too long."""
    def too_long(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        source = path.read_text("utf-8")
        text = trafilatura.extract(source, favor_precision=True, include_comments=False, include_tables=True) or ""
        other = "\n".join(lxml.html.fromstring(readability.Document(source).summary()).itertext())
    except Exception:  # pages are hostile, and the extractors fail in many ways
        return path, None, 0
    finally:
        signal.alarm(0)
    bags = [collections.Counter(tokens(text)), collections.Counter(tokens(other))]
    if min(bag.total() for bag in bags) < LEAST_WORDS:
        return path, None, 0
    return path, text, score(*bags)[2]


def site(row):
    return urlparse(row.split("\t")[1]).netloc.removeprefix("www.")


def main(pages, target, leave_out):
    pages, target = pathlib.Path(pages), pathlib.Path(target)
    known = {site(row) for row in (pathlib.Path(leave_out) / "index.tsv").read_text("utf-8").splitlines()}
    rows = {row.split("\t")[0]: row for row in (pages / "index.tsv").read_text("utf-8").splitlines()}
    for kind in "html", "gold":
        (target / kind).mkdir(parents=True, exist_ok=True)
    index = []
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for path, text, agreement in pool.map(judged, sorted((pages / "html").glob("*.html")), chunksize=8):
            if text and agreement >= AGREED and site(rows[path.stem]) not in known:
                (target / "html" / path.name).write_bytes(path.read_bytes())
                (target / "gold" / (path.stem + ".txt")).write_text(text, "utf-8")
                index.append(rows[path.stem] + "\n")
    (target / "index.tsv").write_text("".join(index), "utf-8")
    print(f"{target.name}: {len(index)} pages")


if __name__ == "__main__":
    main(*sys.argv[1:])
