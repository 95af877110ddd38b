from __future__ import annotations

from pathlib import Path

import pytest

from gradlint.report import pages
from gradlint.rules.support.rule import Rule, all_rules

ROOT = Path(pages.__file__).parents[2]


def test_names_are_the_files_in_rules() -> None:
    files = {path.stem for path in (ROOT / "rules").glob("*.md")} - {"README", "index"}
    assert set(pages.names()) == files
    assert list(pages.names()) == sorted(pages.names())


def test_every_page_can_be_read_and_begins_with_its_name() -> None:
    for name in pages.names():
        assert pages.read(name).startswith(f"# {name}\n")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_rule_s_summary_is_the_sentence_that_its_page_begins_with(rule: Rule) -> None:
    _, _, sentence, _ = pages.read(rule.name).split("\n\n", 3)
    assert rule.summary == sentence


@pytest.mark.parametrize("name", ["", "nope", "README", "../README", "clip-after-step.md", "/etc/hosts"])
def test_anything_else_is_no_page(name: str) -> None:
    with pytest.raises(pages.PageError):
        pages.read(name)


def test_a_package_reads_its_own_pages_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_pages").mkdir()
    (tmp_path / "_pages" / "some-rule.md").write_text("# some-rule\n", encoding="utf-8")
    monkeypatch.setattr(pages, "_FOLDERS", (str(tmp_path / "_pages"), str(ROOT / "rules")))
    assert pages.names() == ("some-rule",)
    assert pages.read("some-rule") == "# some-rule\n"


def test_without_any_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_FOLDERS", ("/no/such/folder",))
    assert pages.names() == ()
