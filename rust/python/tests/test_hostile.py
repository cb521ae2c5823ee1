"""Hostile pages, threads, processes, interrupts, panics, memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import corpulyzer
import pytest
from conftest import URDU, page_of
from corpulyzer import _native

HOSTILE = {
    "empty": b"",
    "a zero byte": b"\0",
    "no markup": b"a" * 100_000,
    "deep": b"<div>" * 200_000 + b"x",
    "deep lists": b"<ul><li>x" * 50_000,
    "many blocks": b"<p>x" * 300_000,
    "open tag": b"<a href='" + b"x" * 1_000_000,
    "entities": b"&#x1F600;&amp;&bogus;" * 50_000,
    "cut in a character": URDU.encode()[:-2],
    "lying charset": b'<meta charset="utf-16"><p>' + b"abc " * 100,
    "random": bytes((n * 7919 + n // 251) % 256 for n in range(200_000)),
    "nested quotes": b"<blockquote><pre>" * 20_000 + b"x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_end_in_bounded_time(name: str) -> None:
    engine = corpulyzer.Engine("urd")
    page = HOSTILE[name]
    began = time.monotonic()
    corpulyzer.extract(page)
    corpulyzer.extract(page, output="markdown")
    assert time.monotonic() - began < 120
    record = engine.page(page)
    assert record.status in ("ok", "no_content", "limit_hit", "unsupported_charset")


def test_a_page_of_50_megabytes_is_read() -> None:
    page = page_of(URDU) + b"<!--" + b"x" * 50_000_000 + b"-->"
    assert corpulyzer.extract(page) == corpulyzer.extract(page_of(URDU))


def test_eight_threads_read_the_same() -> None:
    engine = corpulyzer.Engine("urd")
    pages = [page_of(URDU, str(number)) for number in range(40)]
    expected = [engine.page(page) for page in pages]
    texts = [corpulyzer.extract(page) for page in pages]

    def work(_: int) -> None:
        assert [engine.page(page) for page in pages] == expected
        assert [corpulyzer.extract(page) for page in pages] == texts
        assert engine.pages(pages) == expected
        assert corpulyzer.identify([URDU] * 3) == ["urd"] * 3

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_other_threads_run_while_a_page_is_read() -> None:
    page = b"<p>x" * 190_000
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    corpulyzer.extract(page[:900_000])
    done.set()
    counter.join()
    assert turns > 5


def _in_child(pages: list[bytes]) -> list[str]:
    assert corpulyzer.identify([URDU] * 50) == ["urd"] * 50
    return [record.decision for record in corpulyzer.Engine("urd").pages(pages)]


def test_a_forked_process_works() -> None:
    pages = [page_of(URDU)] * 20
    expected = _in_child(pages)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.apply_async(_in_child, (pages,)).get(120) == expected
        assert pool.apply_async(_in_child, (pages,)).get(120) == expected
    # The parent's threads are still there.
    assert _in_child(pages) == expected


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_panic_is_an_exception(in_thread: bool) -> None:
    with pytest.raises(corpulyzer.InternalError, match="the engine panicked: a panic for a test"):
        _native.probe(in_thread)
    assert corpulyzer.extract("<p>still here", extractor="text") == "still here"


# Calls that take much longer than the time before the signal. The words of `train` are made before
# it: Python would also end its own loop.
INTERRUPTED = {
    "pages": "engine.pages([page] * 1_000_000)",
    "extract_all": "corpulyzer.extract_all([page] * 1_000_000)",
    "identify": "corpulyzer.identify([text] * 3_000_000)",
    "train": "corpulyzer.train({'akk': words})",
    "collect": "[None for _ in corpulyzer.collect('/dev/stdin', 'urd')]",
    "report": "corpulyzer.report('/dev/stdin', 'urd')",
}


@pytest.mark.parametrize("name", INTERRUPTED)
def test_ctrl_c_ends_work(name: str) -> None:
    code = f"""
import corpulyzer, sys
text = {URDU!r}
page = ("<p>" + text * 40).encode()
letters = str.maketrans("0123456789", "ghijklmnop")
engine = corpulyzer.Engine("urd")
words = "\\n".join(f"{{n:x}}".translate(letters) for n in range({6_000_000 if name == "train" else 0}))
print("ready", flush=True)
try:
    {INTERRUPTED[name]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
print("done", flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdin
    try:
        assert process.stdout.readline() == "ready\n"
        if name in ("collect", "report"):
            # Records without an end: the pipe stays open.
            process.stdin.write('{"url": "http://a/", "text": "abc"}\n')
            process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - began < 20
        process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_flat_over_100_000_pages() -> None:
    engine = corpulyzer.Engine("urd", extractor="text")
    page = f"<title>T</title><p>{URDU[:40]}".encode()
    for _ in range(5_000):
        engine.page(page)
        corpulyzer.extract(page, extractor="text")
    # Each thread keeps memory of its own after its first pages, and their number is the machine's.
    for _ in range(10):
        engine.pages([page] * 1_000)
    before = resident()
    for _ in range(45_000):
        engine.page(page)
        corpulyzer.extract(page, extractor="text")
    for _ in range(10):
        assert len(engine.pages([page] * 1_000)) == 1_000
    assert resident() - before < 16 << 20, "bytes after 100,000 pages"


def test_bytes_are_not_copied() -> None:
    page = b"<!--" + b"x" * 200_000_000 + b"--><p>a"
    before = int(
        next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    )
    assert corpulyzer.extract(page, extractor="text", max_bytes=1 << 30) == "a"
    after = int(
        next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    )
    assert after - before < 150_000, "KiB at the peak"
