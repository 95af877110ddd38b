"""Samplers that nobody tells the epoch: the ways to tell them."""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.account.case import Case
from gradlint.model.edits import Insert, Repair
from gradlint.model.events import Event, Kind
from gradlint.model.finding import Span
from gradlint.rules.support.samplers import begun_anew, numbered_by, passed_often, trains_another


def repairs(case: Case, event: Event, named: tuple[str, ...]) -> Iterator[Repair]:
    """The ways to tell a sampler the number of each pass: that of the loop's turn, of all its loops' turns, or a new count."""
    names, title = (*named, f"{{loader}}.{event.text}"), "Tell the sampler the epoch"
    if begun_anew(event):
        yield _numbered(title, names[-1], "{count}", (event.span,), "")
        return
    often, loops, several = passed_often(case, event), numbered_by(case, event), _trains_several(case, event)
    again = often or (len(loops) > 1 and loops[-1] == event.span and not several)
    for number in ("{number}", "{count}") if again and loops else ():
        yield from (_numbered(title, name, number, loops, _ANEW if several else "") for name in names)
    doubt = "each turn of the loop goes through it several times, which would have one order" if often else ""
    doubt = doubt or ("each turn of the loop around it would have the same orders" if again else "")
    for name in names:
        code = f"{name}.set_epoch({{target}})"
        yield Repair(title, (Insert(code, event.span, "first"),), unsafe=again, doubt=doubt)
    if not again:
        yield from (_numbered(title, name, "{count}", (event.span,), "") for name in names)


_ANEW = "each turn of the loop trains another network, and all of them may be meant to have the same orders"


def _numbered(title: str, name: str, number: str, loops: tuple[Span, ...], doubt: str) -> Repair:
    insert = Insert(f"{name}.set_epoch({number})", loops[-1], "first", over=loops)
    return Repair(title, (insert,), unsafe=bool(doubt), doubt=doubt)


def _trains_several(case: Case, event: Event) -> bool:
    """Whether the passes over a sampler train more than one network."""
    alike = [one for one in case.of(Kind.EPOCH) if one.subject == event.subject]
    return any(trains_another(case, event, one) for one in alike)
