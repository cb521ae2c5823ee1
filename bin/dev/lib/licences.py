"""Writes the licences of all that is linked into what a crate makes.

    licences.py CRATE PRODUCT FILE [ZIG]

CRATE is the crate whose product it is, PRODUCT the name of the product for the first line. With ZIG, the
package `ziglang`, the parts that zig links into every portable file are listed too. The same Cargo.lock
gives the same bytes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

LICENCE = re.compile(r"(licen[sc]e|copying|copyright|notice|unlicense).*", re.IGNORECASE)

PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")

#: Code that zig links into every portable file: name, licence, source, and the text in its package.
RUNTIME = (
    ("LLVM libc++", "Apache-2.0 WITH LLVM-exception", "https://llvm.org", "lib/libcxx/LICENSE.TXT"),
    ("LLVM libc++abi", "Apache-2.0 WITH LLVM-exception", "https://llvm.org", "lib/libcxxabi/LICENSE.TXT"),
    ("LLVM libunwind", "Apache-2.0 WITH LLVM-exception", "https://llvm.org", "lib/libunwind/LICENSE.TXT"),
    ("Zig (compiler support routines)", "MIT", "https://ziglang.org", "LICENSE"),
    (
        "glibc (start-up and non-shared parts)",
        "LGPL-2.1-or-later with the linking exception of these files",
        "https://www.gnu.org/software/libc",
        "lib/libc/glibc/LICENSES",
    ),
)


def linked_crates(root: str) -> list[dict[str, Any]]:
    """Returns the crates of others that end up in what is built of a crate, without what only runs
    while compiling."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    for platform in PLATFORMS:
        command += ["--filter-platform", platform]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [name for name, one in packages.items() if one["name"] == root and not one["source"]]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        runs_in_compiler = any("proc-macro" in target["kind"] for target in packages[name]["targets"])
        if runs_in_compiler or name in found:
            continue
        found.add(name)
        for dependency in nodes[name]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    crates = [packages[name] for name in found if packages[name]["source"]]
    return sorted(crates, key=lambda crate: f"{crate['name']} {crate['version']}")


def licence_texts(crate: dict[str, Any]) -> list[Path]:
    """Returns the files of a crate with licences, also those of CLD2, which cld2-sys contains."""
    folder = Path(crate["manifest_path"]).parent
    files = [file for place in (folder, folder / "cld2") if place.is_dir() for file in place.iterdir()]
    return sorted(file for file in files if file.is_file() and LICENCE.fullmatch(file.name))


def licences(crate: str, product: str, zig: Path | None) -> str:
    """Returns a table of the parts, then each text with the parts that are under it."""
    table: list[str] = []
    users: dict[str, list[str]] = {}

    def add(name: str, licence: str, source: str, texts: list[Path]) -> None:
        table.append(f"{name}\n  licence: {licence}\n  source: {source}\n")
        for file in texts:
            text = file.read_text(encoding="utf-8", errors="replace").replace("\r", "").strip()
            names = users.setdefault(text, [])
            if name not in names:
                names.append(name)

    for one in linked_crates(crate):
        place = f"https://crates.io/crates/{one['name']}/{one['version']}"
        add(f"{one['name']} {one['version']}", one["license"] or "see its texts", place, licence_texts(one))
    for name, licence, source, text in RUNTIME if zig else ():
        add(name, licence, source, [zig / text] if zig else [])
    add("Rust standard library", "MIT OR Apache-2.0", "https://github.com/rust-lang/rust", [])
    line = "=" * 100
    texts = sorted(f"\n{line}\n{', '.join(names)}\n{line}\n\n{text}\n" for text, names in users.items())
    head = (
        f"{product} holds code of these projects. Corpulyzer itself: LICENSE. Where the models are from: MODELS.md."
    )
    return f"{head}\n\n{''.join(table)}{''.join(texts)}"


def main() -> None:
    crate, product, file, *zig = sys.argv[1:]
    place = Path(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    text = licences(crate, product, Path(zig[0]) if zig else None)
    place.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
