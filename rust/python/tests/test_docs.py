"""The examples of the documentation, the types, and the notebook."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import ROOT

import corpulyzer


@pytest.mark.parametrize("name", ["_engine", "_languages", "_corpora", "trafilatura"])
def test_examples_of_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"corpulyzer.{name}"))
    assert result.failed == 0 and (result.attempted > 0 or name == "_corpora")


def test_examples_of_the_page(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive.parent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpulyzer.InputWarning)
        result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert result.failed == 0 and result.attempted > 15


def test_everything_public_has_a_docstring_and_types() -> None:
    for name in corpulyzer.__all__:
        value = getattr(corpulyzer, name)
        assert inspect.getdoc(value), name
        if inspect.isclass(value) and not issubclass(value, (BaseException, dict)):
            for member, part in vars(value).items():
                if not member.startswith("_") and callable(part):
                    assert inspect.getdoc(part), f"{name}.{member}"
    assert (Path(corpulyzer.__file__).parent / "py.typed").exists()


def test_every_function_of_the_compiled_part_is_in_the_stub() -> None:
    from corpulyzer import _native

    stub = ast.parse((Path(corpulyzer.__file__).parent / "_native.pyi").read_text())
    declared = {
        node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    assert declared == {name for name in dir(_native) if not name.startswith("_")}


def test_strict_types() -> None:
    pytest.importorskip("mypy", reason="skipped: mypy of PyPI is missing")
    call = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull]
    result = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_notebook_makes_a_report_with_plots(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nbclient", reason="skipped: nbclient of PyPI is missing")
    pytest.importorskip("matplotlib", reason="skipped: matplotlib of PyPI is missing")
    import nbformat
    from nbclient import NotebookClient

    path = ROOT / "rust/python/notebooks/report.ipynb"
    notebook = nbformat.reads(path.read_text(), as_version=4)  # type: ignore[no-untyped-call]
    code = [
        line
        for cell in notebook.cells
        if cell.cell_type == "code"
        for line in cell.source.splitlines()
    ]
    assert len([line for line in code if line.strip()]) <= 20
    assert all(
        not cell.get("outputs") for cell in notebook.cells
    ), "the notebook is without results"
    monkeypatch.setenv("WARC", str(archive))
    monkeypatch.setenv("LANGUAGE", "urd")
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    images = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(images) >= 2
    text = json.dumps(outputs, ensure_ascii=False)
    assert "site0.pk" in text
