from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notebooks import IMPORTS, LATE, LAYOUTS, SETUP, code, markdown, notebook

from gradlint.check.cells import check_file, fix_file
from gradlint.model.finding import Span
from gradlint.model.settings import Settings
from gradlint.syntax.notebook import Notebook, is_notebook
from gradlint.syntax.source import SourceError

WHOLE = notebook(markdown("# Title\nbackward()"), code(IMPORTS), code(SETUP), code(LATE), code("print(1)"))


def rules(text: str) -> list[str]:
    report = check_file(text, "a.ipynb", Settings())
    assert report.problems == ()
    return [one.rule for one in report.findings]


# What is a notebook, and what is none


def test_names() -> None:
    assert is_notebook("dir/A.IPYNB")
    assert not is_notebook("a.ipynb.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, and not a notebook; save it once with Jupyter"),
        ("{", "is not a notebook: not JSON at line 1, column 2: "),
        ('{\n "cells": [}', "is not a notebook: not JSON at line 2, column 12: "),
        ("[]", "is not a notebook: it has no list of cells"),
        ('{"cells": {}}', "is not a notebook: it has no list of cells"),
        ('{"cells": [1]}', "is not a notebook: cell 1 has no type"),
        ('{"cells": [{"cell_type": "code", "source": 1}]}', "is not a notebook: the source of cell 1 is no text"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "is not a notebook: the source of cell 1 is no text"),
        ('{"worksheets": []}', "is a notebook of an old format (3); open it with Jupyter and save it"),
        ("[" * 100_000, "is not a notebook: "),
    ],
)
def test_what_is_broken_is_told(text: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        Notebook.parse(text)
    assert caught.value.message.startswith(message)
    (problem,) = check_file(text, "a.ipynb", Settings()).problems
    assert problem.message == caught.value.message
    assert fix_file(text, "a.ipynb", Settings()).problems == (problem,)


def test_a_cell_that_is_no_python_is_named() -> None:
    text = notebook(code(IMPORTS), markdown("x"), code("loss.backward()\ndef f(:\n"))
    (problem,) = check_file(text, "a.ipynb", Settings()).problems
    assert problem.message.startswith("cell 3 cannot be parsed at line 2: ")
    (problem,) = fix_file(text, "a.ipynb", Settings()).problems
    assert problem.message.startswith("cell 3 cannot be parsed at line 2: ")


@pytest.mark.parametrize("text", [notebook(), notebook(markdown("x")), notebook(code("")), '{"cells": []}'])
def test_nothing_to_check_is_no_error(text: str) -> None:
    assert rules(text) == []


def test_a_notebook_in_another_language_is_not_read() -> None:
    assert rules(notebook(code("x <- 1; loss.backward()"), language="R")) == []


# One program


def test_the_cells_are_one_program() -> None:
    assert Notebook.parse(WHOLE).program == IMPORTS + SETUP + "\n" + LATE + "print(1)\n"
    assert rules(WHOLE) == ["clip-after-step"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_place_and_words_are_those_of_the_cell(layout: str) -> None:
    text = notebook(markdown("x"), code(IMPORTS), code(SETUP), code(LATE), **LAYOUTS[layout])
    (finding,) = check_file(text, "a.ipynb", Settings()).findings
    assert (finding.cell, finding.span) == (4, Span(6, 5, 6, 54))
    assert finding.message == "Gradients are clipped after `optimizer.step()` on line 5 has already used them."
    assert {one.cell for one in finding.related} == {4}
    assert finding.fix is not None
    assert {edit.cell for edit in finding.fix.edits} == {4}


def test_a_line_of_another_cell_is_said_to_be_one() -> None:
    finish = "def finish():\n    optimizer.step()"
    loop = LATE.replace("optimizer.step()", "finish()")
    text = notebook(code(IMPORTS), code(SETUP), code(finish), code(loop))
    found = check_file(text, "a.ipynb", Settings()).findings
    (one,) = (one for one in found if one.cell == 4)
    assert "on line 2 of cell 3" in one.message
    assert 3 in {related.cell for related in one.related}


MAGICS = [
    "%matplotlib inline",
    "!pip install torch",
    "    %time x = 1",
    "model?",
    "?model",
    "torch.nn??",
    "files = !ls",
    "a, b = %magic x",
    "!echo a \\\n  && echo b",
    "%env A=1",
    "pip install torch",
    "ls -la",
]


@pytest.mark.parametrize("magic", MAGICS)
def test_magics_are_skipped_and_survive(magic: str) -> None:
    head = "if 1:\n    pass\n" if magic.startswith(" ") else ""
    text = notebook(code(f"{head}{magic}\n{IMPORTS}{SETUP}\n{LATE}{magic.strip()}"))
    assert rules(text) == ["clip-after-step"]
    fixed = fix_file(text, "a.ipynb", Settings())
    assert [one.rule for one in fixed.applied] == ["clip-after-step"]
    after = json.loads(fixed.text)["cells"][0]["source"]
    assert sorted(after) == sorted(json.loads(text)["cells"][0]["source"])
    assert rules(fixed.text) == []


@pytest.mark.parametrize("name", ["bash", "html", "script python", "writefile a.py", "R", ""])
def test_cells_in_another_language_are_skipped(name: str) -> None:
    other = code(f"%%{name}\nthis is (not python\n  loss.backward()")
    text = notebook(code(IMPORTS), other, code(SETUP), code(LATE))
    (finding,) = check_file(text, "a.ipynb", Settings()).findings
    assert (finding.cell, finding.row) == (4, 6)
    assert json.loads(fix_file(text, "a.ipynb", Settings()).text)["cells"][1]["source"] == other["source"]


@pytest.mark.parametrize("name", ["time", "timeit -n 3", "capture out"])
def test_cells_that_are_measured_are_python(name: str) -> None:
    text = notebook(code(IMPORTS + SETUP), code(f"%%{name}\n{LATE}"))
    (finding,) = check_file(text, "a.ipynb", Settings()).findings
    assert (finding.cell, finding.row) == (2, 7)


@pytest.mark.parametrize("line", ["ls = [1]", "pip(1)", "cd.x", "rm, y = 1, 2", "a = b\nls: int = 3"])
def test_names_like_those_of_magics_are_python(line: str) -> None:
    book = Notebook.parse(notebook(code(f"{line}\n!echo")))
    assert book.magics == ("!echo",)
    assert book.program.startswith(line)


def test_what_only_looks_like_a_magic_is_python() -> None:
    text = notebook(code('x = (5\n% 3)\ny = """\n!not a magic\n"""'))
    assert Notebook.parse(text).magics == ()


# Back into the file


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_but_the_edited_lines_changes(layout: str) -> None:
    text = notebook(markdown("é"), code(IMPORTS), code(SETUP), code(LATE), code("'é'"), **LAYOUTS[layout])
    fixed = fix_file(text, "a.ipynb", Settings())
    before, after = json.loads(text), json.loads(fixed.text)
    assert before["cells"][3].pop("source") != after["cells"][3].pop("source")
    assert before == after
    start = text.index("for x, y in loader")
    end = text.index("'é'" if "'é'" in text else "'\\u00e9'")
    assert fixed.text.startswith(text[:start])
    assert fixed.text.endswith(text[end:])
    lines, new = ([line.rstrip(",") for line in one.split("\n")] for one in (text, fixed.text))
    assert sorted(lines) == sorted(new) or len(lines) == 2
    assert fix_file(fixed.text, "a.ipynb", Settings()).changed is False


def test_a_source_that_is_one_string_stays_one() -> None:
    text = notebook(code(IMPORTS + SETUP), code("", source=LATE))
    fixed = fix_file(text, "a.ipynb", Settings())
    source = json.loads(fixed.text)["cells"][1]["source"]
    assert isinstance(source, str)
    assert source.endswith("    optimizer.step()\n")


def test_a_cell_without_a_line_end_gets_none() -> None:
    text = notebook(code(IMPORTS + SETUP), code(LATE.rstrip("\n")))
    assert (
        json.loads(fix_file(text, "a.ipynb", Settings()).text)["cells"][1]["source"][-1]
        == "    optimizer.step()\n".rstrip()
    )


def test_a_repair_across_cells_is_left_to_a_person() -> None:
    book = Notebook.parse(notebook(code("a = 1\nb = 2"), code("c = 3")))
    assert book.replaced("a = 1\nb = 3\nc = 3\n") != book.text
    with pytest.raises(SourceError, match="two cells as one"):
        book.replaced("a = 1\nz = 9\n")


def test_a_magic_that_would_move_is_left_to_a_person() -> None:
    book = Notebook.parse(notebook(code("%a\nx = 1\n!b")))
    first, second, third = book.program.splitlines()
    with pytest.raises(SourceError, match="move a magic"):
        book.replaced(f"{third}\n{second}\n{first}\n")


LINES = st.sampled_from(
    ["x = 1", "if a:\n    b()", "# é \U0001f600", "%magic", "!ls", 'y = "\\\\"', "", "f(\n  1,\n)", "\ts?", "z = !ls"]
)
CELLS = st.lists(st.tuples(st.lists(LINES, max_size=4).map("\n".join), st.booleans(), st.booleans()), max_size=5)


def book_of(cells: list[tuple[str, bool, bool]], layout: str) -> str:
    made = []
    for source, ended, listed in cells:
        text = source + "\n" * ended
        made.append(code(text) if listed else code("", source=text))
        made.append(markdown("between"))
    return notebook(*made, **LAYOUTS[layout])


@given(CELLS, st.sampled_from(sorted(LAYOUTS)))
def test_the_same_program_is_the_same_file(cells: list[tuple[str, bool, bool]], layout: str) -> None:
    book = Notebook.parse(book_of(cells, layout))
    assert book.replaced(book.program) == book.text
    assert [cell.source for cell in book.cells] == [source + "\n" * ended for source, ended, _ in cells]


@given(CELLS, st.sampled_from(sorted(LAYOUTS)), st.data())
def test_a_changed_line_changes_its_cell_alone(
    cells: list[tuple[str, bool, bool]], layout: str, data: st.DataObject
) -> None:
    book = Notebook.parse(book_of(cells, layout))
    lines = book.program.splitlines(keepends=True)
    plain = [number for number, line in enumerate(lines) if "gradlint-magic" not in line]
    if not plain:
        return
    row = data.draw(st.sampled_from(plain))
    new = [*lines[:row], 'new = "é"\n', *lines[row + 1 :]]
    after = Notebook.parse(book.replaced("".join(new)))
    assert after.program == "".join(new)
    number, _ = book.locate(Span(row + 1, 1, row + 1, 1))
    changed = [one.number for one, other in zip(book.cells, after.cells, strict=True) if one.source != other.source]
    assert changed in ([], [number])


@given(CELLS, st.sampled_from(sorted(LAYOUTS)))
def test_places_in_the_file(cells: list[tuple[str, bool, bool]], layout: str) -> None:
    """What stands at a place of a cell stands, escaped, at its place in the file."""
    book = Notebook.parse(book_of(cells, layout))
    file = book.text.split("\n")
    for cell in book.cells:
        for row, line in enumerate(cell.source.split("\n"), 1):
            for column, char in enumerate(line, 1):
                span = book.in_file(cell.number, Span(row, column, row, column + 1))
                assert span.row == span.end_row
                piece = file[span.row - 1][span.column - 1 : span.end_column - 1]
                if column < len(line):
                    assert json.loads(f'"{piece}"') == char
