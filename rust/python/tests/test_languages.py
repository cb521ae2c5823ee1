"""Languages of texts, and language packs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import corpulyzer
import pytest
from conftest import URDU, command

TEXTS = [
    URDU,
    "Das ist ein Satz in deutscher Sprache, der lang genug ist.",
    "12345",
    "",
    "Tämä on suomenkielinen lause, joka on tarpeeksi pitkä.",
]


def run(arguments: list[str], text: str) -> str:
    call = [command(), *arguments]
    return subprocess.run(
        call, input=text.encode(), check=True, capture_output=True
    ).stdout.decode()


def test_languages_are_those_of_the_command() -> None:
    expected = run(["identify"], "\n".join(TEXTS) + "\n").split()
    assert corpulyzer.identify(TEXTS) == expected == ["urd", "deu", "und", "und", "fin"]
    assert [corpulyzer.identify(text) for text in TEXTS] == expected
    assert corpulyzer.identify([]) == []


def test_bytes_are_not_taken_for_a_list_of_texts() -> None:
    for function in (corpulyzer.identify, corpulyzer.langbytes):
        with pytest.raises(TypeError, match="a text is of type bytes; decode it to str first"):
            function(b"text")  # type: ignore[call-overload]


def test_the_choice_of_languages_can_be_limited() -> None:
    assert corpulyzer.identify(URDU, allowed=["fa", "deu"]) != "urd"
    with pytest.raises(
        corpulyzer.SettingError, match="allowed is `akk` .Akkadian., a language that"
    ):
        corpulyzer.identify(URDU, allowed=["akk"])
    with pytest.raises(corpulyzer.SettingError, match="language code `xx` is unknown"):
        corpulyzer.identify(URDU, allowed=["xx"])


def test_spans_have_the_offsets_of_characters() -> None:
    german = "Das ist ein Satz in deutscher Sprache, der lang genug ist."
    text = f"{URDU} {URDU}\n{german}"
    urdu, other = corpulyzer.identify(text, spans=True)
    assert text[urdu.start : urdu.end] == f"{URDU} {URDU}".strip() and urdu.language == "urd"
    assert text[other.start :] == german and other.end == len(text) and other.language == "deu"
    assert urdu.probability is not None and 0.5 < urdu.probability < 1
    lines = run(["identify", "--spans"], text).splitlines()
    first, second = (line.split("\t") for line in lines)
    assert first[:3] == ["0", str(len(text[: urdu.end].encode())), "urd"]
    assert second[:3] == [str(len(text.encode()) - len(german)), str(len(text.encode())), "deu"]
    assert corpulyzer.identify([text, ""], spans=True) == [[urdu, other], []]
    with pytest.raises(corpulyzer.SettingError, match="allowed and spans"):
        corpulyzer.identify(text, allowed=["urd"], spans=True)  # type: ignore[call-overload]


def test_bytes_of_languages_are_those_of_the_command(tmp_path: Path) -> None:
    text = "\n".join(TEXTS)
    lines = run(["langbytes", "-"], text).splitlines()
    expected = {code: int(number) for code, number, _ in (line.split("\t") for line in lines)}
    found = corpulyzer.langbytes(text)
    assert found == expected and list(found) == list(expected)
    assert sum(found.values()) == len(text.replace("\n", "").encode())
    assert corpulyzer.langbytes([text, ""]) == [expected, {}]


def test_a_pack_is_that_of_the_command_and_adds_a_language(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    lines = ["šarrum dannum šar kibrātim arba’im", "ana bēlija qibīma umma warduka"] * 100
    (texts / "akk.txt").write_text("\n".join(lines))
    file = tmp_path / "akk.pack"
    pack = corpulyzer.train(texts, file)
    assert file.read_bytes() == pack.content
    assert [(found.language, found.name, found.few) for found in pack.languages] == [
        ("akk", "Akkadian", False)
    ]
    subprocess.run(
        [command(), "train", "--text", str(texts), "--out", str(tmp_path / "c.pack")], check=True
    )
    assert (tmp_path / "c.pack").read_bytes() == pack.content
    assert corpulyzer.train({"akk": lines}).content == pack.content
    assert corpulyzer.identify(lines[0], packs=[file]) == "akk"
    assert "akk" in corpulyzer.languages([file]) and "akk" not in corpulyzer.languages()
    assert corpulyzer.Engine("akk", packs=[file]).language == "akk"


def test_the_packs_of_the_package_have_the_names_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CORPULYZER_PACKS", raising=False)
    text = "El mè fradel el lavora in d'ona botega in del center de la cità."
    assert corpulyzer.identify(text, packs=["seed"]) == "lmo"
    assert corpulyzer.Engine("lmo", packs=["seed"]).language == "lmo"
    assert "hil" in corpulyzer.languages(["far"])
    monkeypatch.setattr("corpulyzer._settings.PACKS", str(tmp_path))
    with pytest.raises(corpulyzer.SettingError, match="the pack `far` is not in the package: no"):
        corpulyzer.languages(["far"])


def test_training_refuses_what_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(
        corpulyzer.InputError, match=r"no texts; texts are files \*.txt .* \(text\)"
    ):
        corpulyzer.train(tmp_path)
    (tmp_path / "xyzzy.txt").write_text("a b c")
    with pytest.raises(corpulyzer.InputError, match="language code `xyzzy` is unknown"):
        corpulyzer.train(tmp_path)
    with pytest.raises(corpulyzer.SettingError, match="language is `und`"):
        corpulyzer.train({"und": "a"})
    with pytest.raises(
        corpulyzer.SettingError, match="max_entries is 5; allowed are 100 to 10000000"
    ):
        corpulyzer.train({"akk": "a"}, max_entries=5)
    old = tmp_path / "old.pack"
    old.write_bytes(b"old")
    with pytest.raises(corpulyzer.InputError, match="there is no text to train from"):
        corpulyzer.train({"akk": ""}, old)
    assert old.read_bytes() == b"old"
    with pytest.warns(corpulyzer.InputWarning, match="little text, expect many mistakes"):
        with pytest.raises(corpulyzer.InputError, match=r"/no/such/pack: No such file .* \(out\)"):
            corpulyzer.train({"akk": "a b"}, "/no/such/pack")


def test_lines_of_records_in_other_languages_are_left_out_with_a_warning(tmp_path: Path) -> None:
    urdu = "یہ شہر کی پرانی لائبریری ہے اور اس میں بہت سی کتابیں ہیں جو لوگ شوق سے پڑھتے ہیں"
    text = f"{urdu}\\nThis is a paragraph in another language."
    (tmp_path / "page.jsonl").write_text(f'{{"text":"{text}"}}\n', encoding="utf-8")
    with pytest.warns(corpulyzer.InputWarning, match="left out 1 of 2 lines .* .eng 1"):
        mixed = corpulyzer.train(tmp_path / "page.jsonl", language="ur")
    (tmp_path / "page.txt").write_text(urdu, encoding="utf-8")
    with pytest.warns(corpulyzer.InputWarning, match="little text"):
        plain = corpulyzer.train(tmp_path / "page.txt", language="ur")
    assert mixed.content == plain.content
