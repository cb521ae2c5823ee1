"""Records of pages."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
from typing import Any

import corpulyzer
import pytest
from conftest import ROOT, URDU, command, page_of


def test_a_page_is_kept_by_the_bytes_of_its_language() -> None:
    engine = corpulyzer.Engine("ur", extractor="text")
    record = engine.page(page_of(URDU), url="http://a.pk/", content_type="text/html")
    assert engine.language == "urd" and record.version == engine.version
    assert record.keep and record.status == "ok" and record.stage == "bytes"
    assert record.target_bytes == record.languages["urd"] > 256
    assert sum(record.languages.values()) <= record.main_bytes == len(record.text.encode())
    assert record.language_set == {"urd": 100}
    assert record.decision == f"keep {record.reason}"
    other = engine.page("<p>short")
    assert not other.keep and other.decision.startswith("reject ")


def test_a_page_that_cannot_be_read_is_no_error() -> None:
    record = corpulyzer.Engine("urd", max_bytes=10).page(b"<p>" + b"a" * 20)
    assert record.status == "too_large" and record.message and "maxBytes" in record.message
    assert corpulyzer.Engine("urd").page(b"").status == "no_content"


def test_records_are_those_of_the_command() -> None:
    engine = corpulyzer.Engine("urd")
    pages = sorted((ROOT / "tests/vectors/pages").glob("*.html"))
    assert len(pages) > 5
    for page in pages:
        call = [command(), "inspect", "--language", "urd", str(page)]
        expected = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
        found = engine.page(page.read_bytes())
        del expected["blocks"]
        ours = {name: value for name, value in found.to_dict().items() if value is not None}
        ours["decision"] = found.decision
        for name in ("keep", "reason"):
            del ours[name]
        assert ours == expected, page
        assert list(found.languages.items()) == list(expected["languages"].items()), "order"


def test_pages_side_by_side_are_those_one_by_one() -> None:
    engine = corpulyzer.Engine("urd")
    pages = [page_of(URDU, str(number)) for number in range(100)]
    urls = [f"http://a.pk/{number}" for number in range(100)]
    assert engine.pages(pages, urls) == [engine.page(page, url) for page, url in zip(pages, urls)]
    assert engine.texts([URDU * 9, "x"]) == [engine.text(URDU * 9), engine.text("x")]
    with pytest.raises(corpulyzer.SettingError, match="content_types has 0 items"):
        engine.pages(pages, content_types=[])


def test_text_without_markup_is_not_extracted() -> None:
    record = corpulyzer.Engine("urd").text("<p>" + URDU * 9)
    assert record.text.startswith("<p>") and record.keep


def test_settings_are_refused_with_the_sentence_of_the_command() -> None:
    with pytest.raises(corpulyzer.SettingError) as said:
        corpulyzer.Engine("urdo")
    assert "language code `urdo` is unknown; allowed are ISO 639-3 codes" in str(said.value)
    assert "`urd` (Urdu)" in str(said.value)
    with pytest.raises(
        ValueError, match="setting `packs`: language pack no/such.pack: No such file"
    ):
        corpulyzer.Engine("urd", packs=["no/such.pack"])
    with pytest.raises(corpulyzer.CorpulyzerError, match="in no table"):
        corpulyzer.Engine("akk")


def test_a_language_has_codes_and_names() -> None:
    for name in ("ur", "Urdu", "اردو", " urd "):
        assert corpulyzer.Engine(name).language == "urd"
    assert corpulyzer.identify(URDU * 9, allowed=["Urdu", "persian"]) == "urd"


def test_engines_and_records_can_be_pickled() -> None:
    engine = corpulyzer.Engine("urd", min_bytes=7)
    copy = pickle.loads(pickle.dumps(engine))
    page = page_of(URDU)
    assert pickle.loads(pickle.dumps(engine.page(page))) == copy.page(page)
    assert "7 wanted" in copy.page("").reason or copy.version == engine.version


@pytest.mark.parametrize("value", ["a", b"a", -1, 1.5, math.nan, [3], True])
def test_a_value_of_another_type_is_named_with_what_is_allowed(value: Any) -> None:
    pattern = r"^setting `min_bytes` is .+; allowed are 0 to 2147483647$"
    with pytest.raises(corpulyzer.SettingError, match=pattern):
        corpulyzer.Engine("urd", min_bytes=value)


def test_a_profile_has_defaults_of_its_own() -> None:
    paper = corpulyzer.Engine("urd", profile="paper")
    assert paper.version.split()[1:] == ["web-am-literal/2", "cld2/20140204"]
    mixed = corpulyzer.Engine("urd", profile="paper", extractor="text", identifier="combined")
    assert mixed.version == corpulyzer.Engine("urd", extractor="text").version
    # Over 15 words per distinct word.
    junk = "<p>" + URDU * 30
    assert paper.page(junk).keep and not corpulyzer.Engine("urd").page(junk).keep
    with pytest.raises(corpulyzer.SettingError, match="allowed are default and paper"):
        corpulyzer.Engine("urd", profile="papers")  # type: ignore[arg-type]
