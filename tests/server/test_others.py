"""Lines of other files that take part in a finding, as the editor is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from builders import finding
from lsprotocol import types

from gradlint.model.finding import Related, Report, Span
from gradlint.server.client import Client
from gradlint.server.diagnostics import diagnostics
from gradlint.server.documents import Documents
from gradlint.server.others import Others
from gradlint.server.session import Checked
from gradlint.server.units import unit_of

if TYPE_CHECKING:
    from pathlib import Path

CALL = "x = '😀'; train(model)\n"
PLACE = Span(1, 10, 1, 22)


def documents(root: Path, **texts: str) -> Documents:
    found = Documents(root.as_uri(), types.TextDocumentSyncKind.Incremental)
    for name, text in texts.items():
        found.put_text_document(types.TextDocumentItem((root / f"{name}.py").as_uri(), "python", 1, text))
    return found


def told(root: Path, held: Documents) -> types.Location:
    """Where the call in `main.py` is, as a diagnostic of `engine.py` has it."""
    unit = unit_of(held, (root / "engine.py").as_uri())
    assert unit is not None
    call = Related(PLACE, "called from here", path=str(root / "main.py"))
    one = replace(finding(span=Span(1, 1, 1, 5)), path=unit.path, related=(call,))
    shown = diagnostics(unit, Checked(Report((one,), (), 1, 1)), Client(related=True), Others(held))
    ((diagnostic,),) = shown.values()
    (other,) = diagnostic.related_information or ()
    assert other.message == "called from here"
    return other.location


@pytest.mark.parametrize("above", ["", "# new\n"])
def test_another_open_file_is_as_the_editor_has_it(tmp_path: Path, above: str) -> None:
    (tmp_path / "main.py").write_text("stale\n", encoding="utf-8")
    where = told(tmp_path, documents(tmp_path, engine="step()\n", main=CALL + above))
    assert where.uri == (tmp_path / "main.py").as_uri()
    assert where.range == types.Range(types.Position(0, 10), types.Position(0, 22))


def test_another_file_is_as_the_disk_has_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(CALL, encoding="utf-8")
    where = told(tmp_path, documents(tmp_path, engine="step()\n"))
    assert where.uri == (tmp_path / "main.py").as_uri()
    assert where.range.start == types.Position(0, 10)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    where = told(tmp_path, documents(tmp_path, engine="step()\n"))
    assert where.uri == (tmp_path / "main.py").as_uri()
