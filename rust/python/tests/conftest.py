"""Data of the tests."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

URDU = "یہ شہر کی پرانی لائبریری ہے اور اس میں بہت سی کتابیں ہیں جو لوگ شوق سے پڑھتے ہیں۔ "


def shared(name: str) -> Path:
    """Returns a folder of the shared data, or skips the test."""
    folder = Path(os.environ.get("CORPULYZER_SHARED", ROOT.parent / "shared")) / name
    if not folder.exists():
        pytest.skip(f"skipped: {folder} of the shared data is missing")
    return folder


def command() -> str:
    """Returns the path of the command."""
    path = Path(os.environ.get("CORPULYZER_PROGRAMS", ROOT / "target/release"), "corpulyzer")
    assert path.exists(), f"{path}: build the command first"
    return str(path)


def page_of(text: str, title: str = "T") -> bytes:
    """Returns a page with a main text."""
    paragraphs = "".join(f"<p>{text * 4}</p>" for _ in range(3))
    menu = "".join(f'<li><a href="/{n}">{n}</a></li>' for n in range(8))
    return f"<title>{title}</title><ul>{menu}</ul><article>{paragraphs}</article>".encode()


def warc_record(url: str, page: bytes, date: str = "2026-11-01T10:00:00Z") -> bytes:
    """Returns a WARC record of a response."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    body = head + page
    fields = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{abs(hash(url)) % 10**12:012}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return fields.encode() + body + b"\r\n\r\n"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A WARC file with 40 pages: Urdu, English, and one URL twice."""
    file = tmp_path / "crawl.warc.gz"
    english = "This is the old library of the city and many people like to read its books. "
    with file.open("wb") as out:
        for number in range(20):
            for language, text in (("ur", URDU), ("en", english)):
                url = f"http://site{number % 3}.pk/{language}/{number}"
                out.write(gzip.compress(warc_record(url, page_of(text, f"{language} {number}"))))
        out.write(gzip.compress(warc_record("http://site0.pk/ur/0", page_of(URDU, "again"))))
    return file
