from __future__ import annotations

import ast

import pytest
from builders import finding
from hypothesis import given
from hypothesis import strategies as st

from gradlint.check.ignores import add_ignores, remove_ignores
from gradlint.check.suppressions import Ignore, Suppressions
from gradlint.model.finding import Span


def at(row: int, end_row: int | None = None, rule: str = "r") -> object:
    return finding(rule=rule, span=Span(row, 1, end_row or row, 5))


# Rows that take no comment


@pytest.mark.parametrize("text", ["x = 1 + \\\n    2\n", 'x = """\n"""\n', "x = (\n"])
def test_where_no_comment_can_stand_nothing_is_changed(text: str) -> None:
    assert add_ignores(text, [at(1)]) == (text, (at(1),))


# Rows that do


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("step()\n", "step()  # gradlint: ignore[r]\n"),
        ("step()", "step()  # gradlint: ignore[r]"),
        ("step()\r\nx\r\n", "step()  # gradlint: ignore[r]\r\nx\r\n"),
        ("step()   \n", "step()  # gradlint: ignore[r]\n"),
        ("step()  # noqa: E501\n", "step()  # noqa: E501  # gradlint: ignore[r]\n"),
        ("step()  # gradlint: ignore[q] why\n", "step()  # gradlint: ignore[q, r] why\n"),
        ("step()  # gradlint: ignroe\n", "step()  # gradlint: ignroe  # gradlint: ignore[r]\n"),
        ("\ufeffstep()  # gradlint: ignore[q]\n", "\ufeffstep()  # gradlint: ignore[q, r]\n"),
        ('x = "# gradlint: ignore[q]"\n', 'x = "# gradlint: ignore[q]"  # gradlint: ignore[r]\n'),
        ("clip(\n    a,\n)\n", "clip(  # gradlint: ignore[r]\n    a,\n)\n"),
    ],
)
def test_a_comment_is_added(before: str, after: str) -> None:
    assert add_ignores(before, [at(1, 3)]) == (after, ())
    assert remove_ignores(after, [Ignore(1, ("r",), False)]).strip() == before.replace("   \n", "\n").strip()


def test_several_findings_share_a_comment() -> None:
    text, left = add_ignores("step()\n", [at(1, rule="b"), at(1, rule="a"), at(1, rule="b")])
    assert (text, left) == ("step()  # gradlint: ignore[a, b]\n", ())


def test_a_later_row_of_the_place_is_taken_where_the_first_has_no_room() -> None:
    text, left = add_ignores("x = a + \\\n    b\n", [at(1, 2)])
    assert (text, left) == ("x = a + \\\n    b  # gradlint: ignore[r]\n", ())


# Away with them


@pytest.mark.parametrize(
    ("before", "rules", "after"),
    [
        ("x()  # gradlint: ignore[a] why\ny\n", ("a",), "x()\ny\n"),
        ("x()  # gradlint: ignore[a, b] why\n", ("a",), "x()  # gradlint: ignore[b] why\n"),
        ("x()  # gradlint: ignore\n", (), "x()\n"),
        ("x()  # noqa # gradlint: ignore[a]\n", ("a",), "x()  # noqa\n"),
        ("# gradlint: ignore-file[a]\nx()\n", ("a",), "x()\n"),
        ("    # gradlint: ignore-file\r\nx()\r\n", (), "x()\r\n"),
        ("x()\n", ("a",), "x()\n"),
    ],
)
def test_what_is_unused_goes(before: str, rules: tuple[str, ...], after: str) -> None:
    assert remove_ignores(before, [Ignore(1, rules, False)]) == after


CODE = st.sampled_from(
    ["step()", "x = [\n  1,\n]", 'y = """\n"""', "if a: b()", "# c", "z = 1 + \\\n  2", "", "\t# gradlint: ignore[q]"]
)


@given(st.lists(CODE), st.lists(st.integers(1, 12)))
def test_the_code_stays_and_what_is_not_left_is_silenced(pieces: list[str], rows: list[int]) -> None:
    text = "\n".join(pieces) + "\n"
    wanted = [at(row) for row in rows]
    after, left = add_ignores(text, wanted)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text))
    suppressions = Suppressions.parse(after)
    assert all(suppressions.covers(one) for one in wanted if one not in left)
    bare = remove_ignores(after, suppressions.unused([]))
    assert Suppressions.parse(bare).ignores == ()
    assert ast.dump(ast.parse(bare)) == ast.dump(ast.parse(text))
