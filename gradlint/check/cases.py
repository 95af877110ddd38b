"""Cases: what the rules see of a region, made once of each scenario, and what they say of it, asked once.

`check` looks at a text, those who repair it count its work, and a trial begins with the scenarios that were run: mostly
these are the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from gradlint.model.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gradlint.account.case import Case
    from gradlint.interpret.explore import Region
    from gradlint.model.events import EventLog
    from gradlint.model.mentions import Mentions
    from gradlint.model.program import Program
    from gradlint.rules.support.hit import Hit
    from gradlint.rules.support.rule import Rule

KEPT = 32
"""Of so many scenarios is remembered what the rules see and say."""


@record()
class _Conditions:
    """Under which a scenario was run: what `Scenario` has of the same names, and whether it was `truncated` by then."""

    region: str
    looped: bool
    size: int
    windows: tuple[tuple[str, int], ...]
    starts: frozenset[str]
    chunked: bool
    samples: bool
    units: tuple[tuple[str, str], ...]
    way_out: str
    shipped: tuple[tuple[str, bool], ...]
    truncated: bool


def cases(region: Region, program: Program) -> Iterator[Case]:
    """What the rules see of a region: one case for each scenario."""
    plan, numbers = region.plan, region.plan.numbers
    windows = {key: numbers.bindings[key] for key in numbers.windows if key in numbers.bindings} | numbers.named
    accident = plan.options.probe.accident
    for log in region.scenarios:
        under = _Conditions(
            region=region.entry.name,
            looped=region.looped,
            size=plan.window,
            windows=tuple(windows.items()),
            starts=frozenset(numbers.starts | numbers.guessed),
            chunked=plan.marks.chunked,
            samples=plan.marks.samples,
            units=tuple(numbers.units.items()),
            way_out=accident.guard if accident is not None else "",
            shipped=tuple((key, on) for key, on in numbers.shipped.items() if on is not None),
            truncated=log.truncated,
        )
        yield _case(log, under, _seen(region, program))


@lru_cache(maxsize=KEPT)
def _case(log: EventLog, under: _Conditions, seen: tuple[Mentions, ...]) -> Case:
    from gradlint.account.case import Case, Scenario
    from gradlint.account.fold import fold
    from gradlint.account.names import window_names
    from gradlint.model.mentions import together

    windows = dict(under.windows)
    scenario = Scenario(
        region=under.region,
        log=log,
        looped=under.looped,
        size=under.size,
        windows=windows,
        starts=under.starts,
        chunked=under.chunked,
        samples=under.samples,
        units=dict(under.units),
        way_out=under.way_out,
        shipped=dict(under.shipped),
    )
    return Case(scenario, tuple(fold(log, window_names(windows), under.size)), together(seen))


def _seen(region: Region, program: Program) -> tuple[Mentions, ...]:
    """What the files mention that a region runs in."""
    numbers = {program.main.number, *(span.module for span in region.covered)}
    return tuple(program.module(number).mentions for number in sorted(numbers))


Heard: TypeAlias = "tuple[tuple[Rule, Hit], ...]"


@lru_cache(maxsize=KEPT)
def heard(case: Case, rules: tuple[Rule, ...]) -> Heard:
    """What rules say of a case, with the doubts that come from what nobody can see."""
    from gradlint.check.excuses import weighed

    return tuple((rule, weighed(rule, case, hit)) for rule in rules for hit in rule.check(case))


def forget() -> None:
    """Let go of all cases."""
    for memory in (_case, heard):
        memory.cache_clear()
