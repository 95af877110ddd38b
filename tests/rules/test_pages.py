"""The rules' pages are their specification: every claim and every example is checked."""

from __future__ import annotations

import ast

import pytest

from gradlint import check_source
from gradlint.finding import Finding
from gradlint.rule import all_rules
from rules.pages import HEADINGS, PAGES, Block, Page, PageError, marked

RULES = {rule.name: rule for rule in all_rules()}
BLOCKS = [block for page in PAGES for block in page.blocks]


def shown(block: Block, findings: list[Finding]) -> str:
    """The block as the page has it, each finding under the line where it stands."""
    lines = [f"rules/{block.page}.md:{block.row} expects {block.expected or 'no finding'}"]
    for number, line in enumerate(block.code.splitlines(), 1):
        lines.append(f"{number:4} | {line}")
        lines += [f"     ^ {finding.rule}: {finding.message}" for finding in findings if finding.span.row == number]
    return "\n".join(lines)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_has_the_findings_that_it_announces(block: Block) -> None:
    findings = check_source(block.code, path=f"{block.page}.py")
    found = sorted((finding.span.row, finding.rule) for finding in findings)
    assert found == block.expected, shown(block, findings)


@pytest.mark.parametrize(
    ("wrong", "fixed"),
    [pair for page in PAGES for pair in page.repairs],
    ids=str,
)
def test_a_fixed_block_repairs_the_block_above(wrong: Block, fixed: Block) -> None:
    assert (wrong.info, wrong.page) == ("py", fixed.page)
    assert wrong.page in wrong.rules
    assert fixed.expected == []
    # The fixer's test goes here: fix(wrong.code) == fixed.code, and fix(fixed.code) == fixed.code.


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
class TestPage:
    def test_it_agrees_with_its_rule(self, page: Page) -> None:
        rule = RULES[page.name]
        assert (page.title, page.category) == (rule.name, rule.category)
        assert (page.severity, page.fix) == (rule.severity.value, rule.safety.value)
        assert page.default == ("on by default" if rule.default else "off by default")

    def test_its_summary_is_one_sentence(self, page: Page) -> None:
        assert page.summary.endswith(".")
        assert ". " not in page.summary

    def test_its_headings(self, page: Page) -> None:
        assert page.headings == HEADINGS

    def test_its_blocks_are_python(self, page: Page) -> None:
        for block in page.blocks:
            assert block.info in {"py", "py fixed"}, str(block)
            ast.parse(block.code)

    def test_no_example_is_shown_twice(self, page: Page) -> None:
        codes = [ast.dump(ast.parse(block.code)) for block in page.blocks]
        assert [str(page.blocks[at]) for at, code in enumerate(codes) if code in codes[:at]] == []

    def test_what_is_right_is_shown_as_often_as_what_is_wrong(self, page: Page) -> None:
        assert 0 < len(page.wrong) <= len(page.clean)

    def test_a_rule_that_repairs_shows_repairs(self, page: Page) -> None:
        assert bool(page.repairs) == (page.fix != "none")


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert {page.name for page in PAGES} == set(RULES)


def test_marks_name_rules() -> None:
    assert set[str]().union(*(block.rules for block in BLOCKS)) <= set(RULES)


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("x", []),
        ("x  # ok", []),
        ("x  # an error", []),
        ("x  # error", ["own"]),
        ("x  # error: [other]", ["other"]),
        ("x  # why  # error: [own, other]", ["own", "other"]),
    ],
)
def test_marks(line: str, rules: list[str]) -> None:
    assert marked(line, "own") == rules


@pytest.mark.parametrize("line", ["# error [other]", "# error: other", "# ok: [other]", "# error:"])
def test_misspelt_marks(line: str) -> None:
    with pytest.raises(PageError, match="neither"):
        marked(line, "own")
