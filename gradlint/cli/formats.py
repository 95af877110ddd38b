"""From a report to the text of the format asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradlint.cli.console import sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gradlint.config.resolve import Project
    from gradlint.model.finding import Report, Span
    from gradlint.model.trace import RegionTrace
    from gradlint.report.style import Style
    from gradlint.syntax.notebook import Notebook

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
COUNTED = ("full", "concise", "json")
"""Formats that `--statistics` has."""
WHOLE = ("json", "sarif")
"""Formats that hold what could not be checked, so that standard error stays silent."""


def render(
    report: Report,
    output_format: str,
    style: Style,
    texts: dict[str, str],
    project: Project,
    *,
    everything: bool = False,
) -> str:
    """The report in the format asked for.

    Args:
        report: what was found.
        output_format: one of `FORMATS`.
        style: what the screen can show.
        texts: texts that no file holds, by name.
        project: the files' settings.
        everything: whether to list all loops that were not judged; formats for services always hold them, or never.
    """
    if output_format == "full":
        from gradlint.report import text

        return text.render(report, sources(texts), style, everything=everything)
    if output_format == "concise":
        from gradlint.report import concise

        return concise.render(report, style, everything=everything)
    if output_format == "json":
        from gradlint.report import json_report

        return json_report.render(report)
    return _for_service(report, output_format, texts, project)


def _for_service(report: Report, output_format: str, texts: dict[str, str], project: Project) -> str:
    """A report that a service reads."""
    from gradlint.report.where import Where

    read = sources(texts)
    where = Where(namer(os.environ), read, _placer(read), _tracer(read, project, texts))
    if output_format == "sarif":
        import gradlint
        from gradlint.report import pages, sarif
        from gradlint.rules.support.rule import all_rules

        return sarif.render(report, where, all_rules(), pages.read, gradlint.__version__)
    if output_format == "github":
        from gradlint.report import github

        return github.render(report, where)
    if output_format == "gitlab":
        from gradlint.report import gitlab

        return gitlab.render(report, where)
    from gradlint.report import junit

    return junit.render(report, where)


def namer(environ: Mapping[str, str]) -> Callable[[str], str]:
    """What a service calls a file: its path from the root of the checkout, with slashes.

    The root is what GitHub or GitLab say it is, else the current folder. A file elsewhere keeps its
    absolute path.
    """
    root = os.path.realpath(environ.get("GITHUB_WORKSPACE") or environ.get("CI_PROJECT_DIR") or os.curdir)

    def name_of(path: str) -> str:
        if path.startswith("<"):
            return path
        whole = os.path.join(os.path.realpath(os.path.dirname(path) or os.curdir), os.path.basename(path))
        inside = whole.startswith(os.path.join(root, ""))
        return (os.path.relpath(whole, root) if inside else whole).replace(os.sep, "/")

    return name_of


def _placer(read: Callable[[str, int | None], str]) -> Callable[[str, int | None, Span], Span]:
    """Where a place in a notebook's cell is in the file itself, each file read once."""
    notebooks: dict[str, Notebook] = {}

    def span_of(path: str, cell: int | None, span: Span) -> Span:
        if cell is None:
            return span
        if path not in notebooks:
            from gradlint.syntax.notebook import Notebook

            notebooks[path] = Notebook.parse(read(path, None))
        return notebooks[path].in_file(cell, span)

    return span_of


def _tracer(
    read: Callable[[str, int | None], str], project: Project, texts: dict[str, str]
) -> Callable[[str], tuple[RegionTrace, ...]]:
    """What the dry run sees in a file, each file run once; an event log is an extra, so no failure is told."""
    from gradlint.check.projects import Projects

    known: dict[str, tuple[RegionTrace, ...]] = {}
    projects = Projects(project, texts=texts)

    def traces(path: str) -> tuple[RegionTrace, ...]:
        from gradlint.check.engine import trace_text
        from gradlint.check.surroundings import within
        from gradlint.model.custom import using
        from gradlint.syntax.notebook import is_notebook

        if is_notebook(path):
            return ()  # its rows are those of the program, and not of a cell
        if path not in known:
            try:
                settings = project.of_file(path)
                around = None if path.startswith("<") else projects.around(path, settings)
                with within(around), using(settings.custom):
                    known[path] = trace_text(read(path, None), path, None)
            except Exception:
                known[path] = ()
        return known[path]

    return traces
