"""`parse_newer` against `ast.parse`: on all source at hand and on every construct of the grammar.

The same tree is asked for, positions included, except for what `Alike` takes out of both: the
documented degradations, and `kind`, which no rule reads. Beyond these

* LibCST refuses `(a): int` and `for*a in b`, and accepts `[*a for a in b]`, which is to come;
* names keep the spelling they have, where Python brings them into normal form (NFKC);
* LibCST loses a form feed that begins a row, and the space in `except E :` and `{a!r }`: places
  behind them in the same row are too far left. A row that is only a backslash does not count.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import gradlint
from fixtures import FIXTURES
from gradlint import check_source
from gradlint.syntax.from_libcst import parse_newer
from gradlint.syntax.source import SourceError
from syntax.snippets import EXPRESSIONS, NEWER, STATEMENTS, TEMPLATES

ROOT = Path(gradlint.__file__).parents[1]
LOOPS = sorted(FIXTURES.rglob("*.py"))
FILES = [*LOOPS, *sorted((ROOT / "gradlint").rglob("*.py"))[::4]]
PAGES = sorted((ROOT / "rules").glob("*.md"))
LATER = [text for texts in NEWER.values() for text in texts]
KNOWN = [text for version, texts in NEWER.items() if version <= sys.version_info for text in texts]
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Alike(ast.NodeTransformer):
    """Takes out what the two trees need not share."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        node.kind = None
        return node

    def visit_JoinedStr(self, node: Any) -> Any:
        node.values = [value for value in node.values if hasattr(value, "conversion")]
        for value in node.values:
            value.conversion = -1
            inside = ast.walk(value) if sys.version_info < (3, 12) else (value, value.format_spec)
            for part in inside:  # Python counted from the string's start before 3.12
                for name in PLACE:
                    if hasattr(part, name):
                        setattr(part, name, 0)
        return self.generic_visit(node)

    def visit_TypeAlias(self, node: Any) -> ast.AST:
        return ast.Pass(**place(node))

    def generic_visit(self, node: Any) -> Any:
        if hasattr(node, "type_params"):
            node.type_params = []
        return super().generic_visit(node)


def place(node: ast.stmt | ast.expr) -> dict[str, Any]:
    return {name: getattr(node, name) for name in PLACE}


def alike(tree: ast.Module | None) -> list[str]:
    assert tree is not None, "LibCST cannot read it"
    return ast.dump(Alike().visit(tree), include_attributes=True, indent=1).splitlines()


def assert_same(text: str) -> None:
    assert alike(parse_newer(text)) == alike(ast.parse(text))


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text: str) -> None:
    assert_same(text)
    assert_same(f"é = 'ü', [\n  {text if text[-1] != ',' else 'ß'}\n]\n")


@pytest.mark.parametrize("text", [*STATEMENTS, *KNOWN])
def test_statements(text: str) -> None:
    assert_same(text)
    assert_same(text.replace("\n", "\r\n") + "\r\n")


@pytest.mark.parametrize("text", [*STATEMENTS, *KNOWN])
def test_statements_in_a_block(text: str) -> None:
    assert_same("if é:\n" + textwrap.indent(text + "\npass", "    "))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files(path: Path) -> None:
    assert_same(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_of_pages(page: Path) -> None:
    for block in re.findall(r"^```py.*\n([\s\S]*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert_same(block)


@pytest.mark.parametrize("text", [*LATER, *TEMPLATES])
def test_what_later_pythons_brought_is_read_by_every_python(text: str) -> None:
    tree = parse_newer(text)
    assert tree is not None
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.expr, ast.stmt)) or node.end_lineno is not None


@pytest.mark.parametrize(
    "text",
    [
        "print 'Python 2'",
        "a b",
        "def f(:",
        "x = '\0'",
        "# \0",
        "b'é'",
        "'\\x0'",
        "t'a' t'b'",  # right since 3.14, but LibCST 1.9 stumbles
        "0777",
        "f() = 1",
        "  indented",
        "(" * 201 + ")" * 201,
        "[" * 100_000,
        "type X = " + "-" * 2000 + "1",
        "x = '\ud800'",
    ],
    ids=lambda text: text[:20],
)
def test_what_no_python_reads(text: str) -> None:
    assert parse_newer(text) is None


# ------------------------------------------------------------------------ through the linter


@pytest.fixture
def old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python whose `ast.parse` refuses every file."""
    parse = ast.parse

    def refuse(source: str, filename: str = "<unknown>", mode: str = "exec") -> ast.AST:
        if mode == "exec":
            raise SyntaxError("too new")
        return parse(source, filename, mode)

    monkeypatch.setattr(ast, "parse", refuse)


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_findings_do_not_depend_on_the_reader(path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    expected = check_source(text)
    request.getfixturevalue("old_python")
    assert check_source(text) == expected


LOOP = """
import torch
{before}

def train{generic}(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); print({inside})
"""


@pytest.mark.parametrize(
    "newer",
    [
        {"before": "type Batch = tuple[int, int]"},
        {"before": "class Step[T: int]:\n    value: T"},
        {"before": "try:\n    pass\nexcept* ValueError:\n    pass"},
        {"before": "try:\n    pass\nexcept ValueError, TypeError:\n    pass"},
        {"generic": "[M, *Ts, **P]"},
        {"generic": "[M = int]"},
        {"inside": 'f"{y["é"]:{x["b"]}}"'},
        {"inside": 'f\'{"\\n".join(f"{x}")}\''},
        {"inside": "t'{x}'"},
    ],
    ids=lambda newer: "".join(newer.values()),
)
def test_newer_syntax_is_checked(newer: dict[str, str]) -> None:
    text = LOOP.format(**{"before": "", "generic": "", "inside": "", **newer})
    (finding,) = check_source(text)
    assert finding.rule == "clip-after-step"
    line = text.splitlines()[finding.span.row - 1]
    assert line[finding.span.column - 1 : finding.span.end_column - 1].startswith("torch.nn.utils.clip")


def test_what_cannot_be_read_is_an_error_of_the_running_python() -> None:
    with pytest.raises(SourceError, match="cannot be parsed at line 2"):
        check_source("x = 1\nprint 'x'  # backward\n")
