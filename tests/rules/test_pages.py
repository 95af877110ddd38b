"""The rules' pages are their specification: every claim and every example is checked."""

from __future__ import annotations

import ast
from difflib import unified_diff

import pytest

from gradlint.check.engine import check_text, fix_text
from gradlint.fix import FixResult
from gradlint.model.finding import Finding, Safety
from gradlint.model.settings import Settings
from gradlint.rules.support.rule import all_rules
from rules.pages import FOLDER, HEADINGS, PAGES, Block, Page, PageError, marked

RULES = {rule.name: rule for rule in all_rules()}
BLOCKS = [block for page in PAGES for block in page.blocks]


def with_rule(page: str) -> Settings:
    """The default rules and that of a page, which may be off by default."""
    return Settings(extend_select=(page,))


def shown(block: Block, findings: list[Finding]) -> str:
    """The block as the page has it, each finding under the line where it stands."""
    lines = [f"rules/{block.page}.md:{block.row} expects {block.expected or 'no finding'}"]
    for number, line in enumerate(block.code.splitlines(), 1):
        lines.append(f"{number:4} | {line}")
        lines += [f"     ^ {finding.rule}: {finding.message}" for finding in findings if finding.span.row == number]
    return "\n".join(lines)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_has_the_findings_that_it_announces(block: Block) -> None:
    findings = list(check_text(block.code, f"{block.page}.py", with_rule(block.page)).findings)
    found = sorted((finding.span.row, finding.rule) for finding in findings)
    assert found == block.expected, shown(block, findings)


REPAIRS = [pair for page in PAGES for pair in page.repairs]


@pytest.mark.parametrize(("wrong", "fixed"), REPAIRS, ids=str)
def test_a_fixed_block_repairs_the_block_above(wrong: Block, fixed: Block) -> None:
    assert (wrong.info, wrong.page) == ("py", fixed.page)
    assert wrong.page in wrong.rules
    assert fixed.expected == []


def repaired(code: str, page: str, *, unsafe: bool = True) -> FixResult:
    return fix_text(code, f"{page}.py", with_rule(page), unsafe=unsafe)


@pytest.mark.parametrize(("wrong", "fixed"), REPAIRS, ids=str)
def test_a_fixed_block_is_what_the_repair_writes(wrong: Block, fixed: Block) -> None:
    unsafe = RULES[wrong.page].safety is not Safety.SAFE
    result = repaired(wrong.bare, wrong.page, unsafe=unsafe)
    assert result.text == fixed.code, difference(fixed.code, result.text)
    assert wrong.page in {finding.rule for finding in result.applied}
    assert (result.remaining, result.withdrawn, result.problems) == ((), (), ())


@pytest.mark.parametrize(("wrong", "fixed"), REPAIRS, ids=str)
def test_a_fixed_block_is_a_fixed_point(wrong: Block, fixed: Block) -> None:
    result = repaired(fixed.code, fixed.page)
    assert (result.text, result.applied, result.remaining) == (fixed.code, (), ())


@pytest.mark.parametrize(
    ("wrong", "fixed"), [pair for pair in REPAIRS if RULES[pair[0].page].safety is not Safety.SAFE]
)
def test_an_unsafe_repair_is_not_made_unasked(wrong: Block, fixed: Block) -> None:
    result = repaired(wrong.bare, wrong.page, unsafe=False)
    left = {finding.rule: finding.fix for finding in result.remaining}
    made = next((finding.fix for finding in result.applied if finding.rule == wrong.page), None)
    if made is not None:  # it is safe for a reason of its own
        assert made.reason != RULES[wrong.page].reason
        return
    assert (fix := left[wrong.page]) is not None
    assert fix.safety is Safety.UNSAFE


@pytest.mark.parametrize("page", [page for page in PAGES if page.fix != "none"], ids=lambda page: page.name)
def test_every_example_is_repaired(page: Page) -> None:
    results = [repaired(block.bare, page.name) for block in page.wrong]
    assert [finding.rule for result in results for finding in result.remaining] == []
    assert [result.withdrawn for result in results if result.withdrawn] == []
    assert [result.path for result in results if repaired(result.text, page.name).changed] == []


def difference(expected: str, found: str) -> str:
    lines = unified_diff(expected.splitlines(), found.splitlines(), "the page", "the repair", lineterm="")
    return "\n".join(lines)


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
        wrong, right = len(page.wrong), len(page.clean)
        assert wrong, f"mark the line of a wrong loop of rules/{page.name}.md with `  # error`"
        assert wrong <= right, f"{wrong} blocks are wrong and {right} right: add right ones to *When it stays silent*"

    def test_a_rule_that_repairs_shows_repairs(self, page: Page) -> None:
        said = f"its page says `fix: {page.fix}`, and shows {len(page.repairs)} blocks of `py fixed`"
        assert bool(page.repairs) == (page.fix != "none"), said

    def test_nothing_is_left_to_fill_in(self, page: Page) -> None:
        left = []
        for name in (f"rules/{page.name}.md", f"gradlint/rules/{page.name.replace('-', '_')}.py"):
            rows = enumerate((FOLDER.parent / name).read_text(encoding="utf-8").splitlines(), 1)
            left += [f"{name}:{row}: {line.strip()}" for row, line in rows if "FILL IN" in line]
        assert not left, f"{len(left)} places are to be filled in: " + "\n".join(left)


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
