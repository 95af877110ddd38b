"""Repairs across files: projects are run as written, as meant and as repaired; nobody who runs a file is harmed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from harm.judge import Verdict, flaws, judge
from harm.project import Project
from harm.projects import PROJECTS
from harm.reality import Reality


@pytest.fixture(scope="module")
def reality() -> Iterator[Reality]:
    with Reality() as reality:
        yield reality


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_projects_run_as_they_are_meant_to(project: Project, reality: Reality) -> None:
    found = flaws(project.case(), reality)
    assert [one for one in found if project.mended or "differ in text" not in one] == []


@pytest.mark.parametrize("across", [False, True], ids=["each file", "across files"])
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_no_repair_does_harm_to_anybody_who_runs_the_file(project: Project, across: bool, reality: Reality) -> None:
    judgement = judge(project.case(), reality, lambda _: project.repaired(across=across))
    assert judgement.verdict is not Verdict.HARM, "\n".join([*judgement.reasons, judgement.diff])
    if across and project.mended:
        assert judgement.verdict is Verdict.RIGHT
