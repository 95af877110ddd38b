"""The engine: text in, findings out.

text --lower--> program --explore--> scenarios --fold--> books --rules--> hits --judge--> findings --repair--> text
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from gradlint.check.outcome import Outcome
from gradlint.check.spelling import Spelling
from gradlint.check.surroundings import around, ground, text_of
from gradlint.check.turns import in_turn
from gradlint.files.prefilter import promising
from gradlint.lower.told import tokens
from gradlint.model.custom import using
from gradlint.model.finding import Confidence, Problem, Report
from gradlint.model.record import replace
from gradlint.syntax.comments import MARK
from gradlint.syntax.source import DepthError, SourceError

if TYPE_CHECKING:
    from gradlint.check.judge import Look
    from gradlint.fix.result import FixResult
    from gradlint.model.finding import Finding
    from gradlint.model.settings import Settings
    from gradlint.model.trace import Explanation, RegionTrace


def check_text(text: str, path: str, settings: Settings) -> Report:
    """Check one file's text; an unparsable text becomes a problem, never an exception."""
    return outcome_of(text, path, settings).report


@in_turn
def outcome_of(text: str, path: str, settings: Settings) -> Outcome:
    """`check_text`, with the files that run with this one."""
    from gradlint.syntax.source import parse

    called = Spelling.of(path, around())
    try:
        if not _concerned(text, called.whole, settings):
            with suppress(DepthError):
                parse(text)
            return Outcome(_without_loop(text, path, settings))
        with using(settings.custom):
            look = _judge(text, called.whole, settings)
            whole = _all_seen(text, called.whole)
    except SourceError as error:
        return Outcome(Report((), (Problem(path, error.message),), 1, 0))
    except RecursionError:
        return Outcome(Report((), (Problem(path, "nests too deeply to be read; split the expression"),), 1, 0))
    from gradlint.check.suppressions import screen

    kept, warnings = screen(text, path, [one.finding for one in look.judged], settings, whole=whole)
    wanted = [finding for finding in kept if settings.pedantic or finding.confidence is Confidence.HIGH]
    if wanted:
        from gradlint.check.repair import marked

        with using(settings.custom):
            wanted = marked(text, wanted, look.judged, settings)
    unjudged = tuple(replace(one, span=one.span._replace(module=0)) for one in look.unjudged)
    report = Report(tuple(map(of_its_file, wanted)), (), 1, look.loops, warnings, unjudged)
    return Outcome(called.told(report), look.beside, look.told)


def warm_up() -> None:
    """Load everything that checking a training loop needs, so that processes forked from this one share it."""
    from gradlint.check.judge import judge
    from gradlint.model.settings import Settings
    from gradlint.rules.support.rule import all_rules

    all_rules()
    judge("loss.backward()\n", "", lambda rule: Settings().enabled(rule.name, rule.category, rule.default))


def of_its_file(finding: Finding) -> Finding:
    """A finding whose places are told by their files, and no longer by the modules of a program."""
    if finding.span.module == 0:
        return finding
    related = tuple(replace(one, span=one.span._replace(module=0)) for one in finding.related)
    return replace(finding, span=finding.span._replace(module=0), related=related)


def _concerned(text: str, path: str, settings: Settings) -> bool:
    """Whether a file can hold a loop, or have to do with one of its project."""
    if _promising(text, settings):
        return True
    if around() is None:
        return False
    from gradlint.check.programs import concerned

    with using(settings.custom):
        return concerned(text, path, ground())


def _all_seen(text: str, path: str) -> bool:
    """Whether a comment that silences nothing here would silence nothing anywhere: no caller was left out."""
    if around() is None or MARK not in text:
        return True
    from gradlint.check.programs import all_callers

    return all_callers(text, path, ground())


def _promising(text: str, settings: Settings) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    return promising(data, (*settings.custom.tokens, *tokens(text)))


def _judge(text: str, path: str, settings: Settings) -> Look:
    from gradlint.check.judge import judge

    return judge(text, path, lambda rule: settings.enabled(rule.name, rule.category, rule.default))


def _without_loop(text: str, path: str, settings: Settings) -> Report:
    """A file that parses and holds no loop: only its comments can be wrong."""
    from gradlint.check.suppressions import screen

    return Report((), (), 1, 0, screen(text, path, (), settings)[1] if MARK in text else ())


@in_turn
def fix_text(text: str, path: str, settings: Settings, *, unsafe: bool = False, across: bool = False) -> FixResult:
    """Repair one file's text; an unparsable text becomes a problem, never an exception.

    Args:
        text: Python source.
        path: the name that findings carry; nothing is written to it.
        settings: which rules, how sure.
        unsafe: apply repairs that are only probably right, too.
        across: change other files of the project where a repair needs it.
    """
    called = Spelling.of(path, around())
    if not _concerned(text, called.whole, settings):
        from gradlint.fix.result import FixResult

        return FixResult(path, text, text, problems=check_text(text, path, settings).problems)
    from gradlint.check import repair

    with using(settings.custom):
        result = repair.fix_text(text, called.whole, settings, unsafe=unsafe, across=across)
    result = replace(
        result,
        applied=tuple(map(of_its_file, result.applied)),
        remaining=tuple(map(of_its_file, result.remaining)),
        withdrawn=tuple(replace(one, finding=of_its_file(one.finding)) for one in result.withdrawn),
    )
    return called.told(result)


@in_turn
def tidy_text(text: str, path: str, settings: Settings) -> tuple[str, int]:
    """A text without the comments that silence nothing, and how many there were.

    Raises:
        SourceError: the text cannot be parsed.
    """
    from gradlint.check.ignores import remove_ignores
    from gradlint.check.suppressions import Suppressions, idle

    suppressions = Suppressions.parse(text)
    if not suppressions.ignores:
        return text, 0
    path = Spelling.of(path, around()).whole
    with using(settings.custom):
        look = _judge(text, path, settings)
        unused = idle(suppressions, [one.finding for one in look.judged], settings) if _all_seen(text, path) else ()
    return remove_ignores(text, unused), len(unused)


@in_turn
def explain_text(text: str, path: str, rule: str, line: int, settings: Settings) -> Explanation:
    """What a rule said of a line, and what became of it: from the same look that judges.

    The rule is asked whether it is on or not.

    Raises:
        SourceError: the text cannot be parsed.
    """
    from gradlint.check.explaining import explained
    from gradlint.check.judge import judge
    from gradlint.check.suppressions import Suppressions

    called = Spelling.of(path, around())
    with using(settings.custom):
        look = judge(
            text, called.whole, lambda one: one.name == rule or settings.enabled(one.name, one.category, one.default)
        )
        traces = trace_text(text, path, None)
    silent = Suppressions.parse(text)
    own = [one.finding for one in look.judged if one.finding.rule == rule]
    rows = frozenset(finding.span.row for finding in own if silent.covers(finding))
    return called.told(explained(look, traces, path, rule, line, rows))


@in_turn
def trace_text(text: str, path: str, line: int | None) -> tuple[RegionTrace, ...]:
    """The events, scenarios and ledgers of every region, or of the one that runs `line`.

    Raises:
        SourceError: the text cannot be parsed.
    """
    from gradlint.check.judge import deep
    from gradlint.check.programs import ran
    from gradlint.check.tracing import Files, trace_region

    project, called = around(), Spelling.of(path, around())

    def read(other: str) -> str:
        return text if project is None or other == called.whole else text_of(other) or ""

    with deep():
        program, every = ran(text, called.whole, ground(), count=False)
        found = [(one.region, trace_region(one.region, Files(one.program, read))) for one in every]
    if line is None:
        return called.told(tuple(trace for _, trace in found if trace.scenarios))
    number = program.main.number
    near = [
        trace
        for region, trace in found
        if any(span.module == number and span.row <= line <= span.end_row for span in region.covered)
    ]
    own = [trace for _, trace in found if trace.path == called.whole and trace.row <= line <= trace.end_row]
    return called.told(tuple(near or own))
