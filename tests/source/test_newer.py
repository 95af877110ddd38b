"""`parse_newer` against `ast.parse`: on all source at hand and on every construct of the grammar.

The same tree is asked for, positions included, except for what `alike` takes out of both: the
documented degradations, and `kind`, which no rule reads. Beyond these, LibCST refuses
`(a): int`, and names keep the spelling they have (Python brings them into normal form NFKC).
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gradlint
from fixtures import FIXTURES
from gradlint.newer import parse_newer
from gradlint.source import SourceError
from source.snippets import EXPRESSIONS, NEWER, STATEMENTS

ROOT = Path(gradlint.__file__).parents[1]
LOOPS = sorted(FIXTURES.rglob("*.py"))
FILES = [*LOOPS, *sorted((ROOT / "gradlint").rglob("*.py"))]
PAGES = sorted((ROOT / "rules").glob("*.md"))
LATER = [text for texts in NEWER.values() for text in texts]
KNOWN = [text for version, texts in NEWER.items() if version <= sys.version_info for text in texts]
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


class Alike(ast.NodeTransformer):
    """Takes out what the two trees need not share."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        node.kind = None
        return node

    def visit_JoinedStr(self, node: Any) -> ast.AST:
        node.values = [value for value in node.values if hasattr(value, "conversion")]
        for value in node.values:
            value.conversion = -1
            inside = ast.walk(value) if sys.version_info < (3, 12) else (value, value.format_spec)
            for part in inside:  # Python counted from the string's start before 3.12
                for name in PLACE:
                    if hasattr(part, name):
                        setattr(part, name, 0)
        return self.generic_visit(ast.JoinedStr(node.values, **place(node)))

    def visit_TemplateStr(self, node: Any) -> ast.AST:
        for value in node.values:
            if hasattr(value, "conversion"):
                value.__class__, value._fields = ast.FormattedValue, ast.FormattedValue._fields
        return self.visit_JoinedStr(node)

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


def blocks(page: Path) -> Iterator[str]:
    yield from re.findall(r"^```py.*\n([\s\S]*?)^```", page.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("text", EXPRESSIONS_LIST := EXPRESSIONS.split("\n"))
def test_expressions(text: str) -> None:
    assert_same(text)
