"""What a repair makes of texts: of the file that its finding is in, and of others of the project.

    Repair ──each file's share──► Layout ──cuts──► Change(path, before, after)

Crowded lines that it touches are spread first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from gradlint.check.looked import looked
from gradlint.check.surroundings import around, changed, ground, text_of
from gradlint.fix.layout import Crowded, Layout, Refused, carry_out, layout_of, newline_of
from gradlint.fix.local import local, shares
from gradlint.fix.realise import as_edits, realise
from gradlint.fix.unfold import spread
from gradlint.fix.work import Work
from gradlint.model.finding import Edit, Span
from gradlint.model.record import dataclass, replace
from gradlint.syntax.source import split_lines

if TYPE_CHECKING:
    from gradlint.check.judge import Judged
    from gradlint.fix.layout import Cut
    from gradlint.model.edits import Repair

MAX_SPREADS = 8


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file.

    `share` is what of the repair is done in it, `number` which module it is of the finding's program.
    """

    path: str
    before: str
    after: str
    edits: tuple[Edit, ...]
    share: Repair
    number: int


@contextmanager
def beside(changes: Iterable[Change], own: Change, *, after: bool) -> Iterator[None]:
    """Look at a file as it is or was while the others are (`after`) or were so, too."""
    with changed({one.path: one.after if after else one.before for one in changes if one is not own}):
        yield


def carried_out(text: str, one: Judged, repair: Repair) -> tuple[Change, ...]:
    """What becomes of the files that a repair changes: that of its finding first, even where it stays as it is.

    Raises:
        Refused: the repair cannot be carried out on these texts.
    """
    files = _Files(one.finding.path, one.finding.span.module, text)
    for _ in range(MAX_SPREADS):
        parts = shares(repair, files.home)
        cuts: dict[int, tuple[Cut, ...]] = {}
        for number, share in parts.items():
            try:
                work = Work(files.layout(number), number, files.layout, files.beside(number))
                cuts[number] = realise(work, local(share, number))
            except Crowded as crowded:
                files.spread(number, crowded.statement)
                one, repair = files.again(one, repair)
                break
        else:
            parts.setdefault(files.home, replace(repair, edits=()))
            numbers = sorted(parts, key=lambda number: (number != files.home, number))
            return tuple(files.change(number, cuts.get(number, ()), parts[number]) for number in numbers)
    raise Refused("too many statements share their lines")


@dataclass(slots=True)
class _Files:
    """The texts of a program, some of them spread by now; each ends with its last line."""

    path: str
    home: int
    text: str
    _spread: dict[int, str] = field(default_factory=dict)
    _layouts: dict[int, Layout] = field(default_factory=dict)

    def layout(self, number: int) -> Layout:
        """How a module's text is laid out by now.

        Raises:
            Refused: there is no such text.
        """
        if number not in self._layouts:
            self._layouts[number] = layout_of(self._spread.get(number) or _ended(self._held(number)))
        return self._layouts[number]

    def beside(self, number: int) -> tuple[int, ...]:
        """The other modules that run with one."""
        look = looked(self.text, self.path, ground())
        return tuple(sorted({span.module for _, spans in look.places for span in spans} - {number}))

    def spread(self, number: int, statement: ast.stmt) -> None:
        """Give a crowded statement lines of its own."""
        self._spread[number] = spread(self.layout(number), statement)
        del self._layouts[number]

    def again(self, one: Judged, repair: Repair) -> tuple[Judged, Repair]:
        """The same finding and repair in texts whose lines were spread.

        Raises:
            Refused: it is not there any more.
        """
        others = {self._path(number): text for number, text in self._spread.items() if number != self.home}
        with changed(others):
            found = looked(self._spread.get(self.home, self.text), self.path, ground()).judged
        at = one.repairs.index(repair)
        for other in found:
            same = other.finding.rule == one.finding.rule and other.finding.row >= one.finding.row
            if same and len(other.repairs) > at:
                return other, other.repairs[at]
        raise Refused("two statements share a line")

    def change(self, number: int, cuts: tuple[Cut, ...], share: Repair) -> Change:
        """What some cuts make of a module."""
        before, layout = self._held(number), self.layout(number)
        after = carry_out(layout.text, cuts) if cuts or number in self._spread else before
        after = after if before.endswith(("\n", "\r")) else after.rstrip("\r\n")
        exactly = number not in self._spread and before == layout.text
        edits = as_edits(layout, cuts) if exactly else edits_between(before, after)
        return Change(self._path(number), before, after, edits, share, number)

    def _held(self, number: int) -> str:
        if number == self.home:
            return self.text
        path, project = self._path(number), around()
        text = text_of(path) if project is not None and project.lists(path) else None
        if text is None:
            raise Refused("the repair needs a change in a file that is left out")
        return text

    def _path(self, number: int) -> str:
        if number == self.home:
            return self.path
        program = looked(self.text, self.path, ground()).program
        assert program is not None
        return program.module(number).path


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + newline_of(split_lines(text))


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """The whole lines in which two texts differ, as edits of the first."""
    old, new = split_lines(before), split_lines(after)
    out: list[Edit] = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            out.append(Edit(Span(first + 1, 1, last + 1, 1), "".join(new[start:end])))
    return tuple(out)


def all_edits(changes: Sequence[Change]) -> tuple[Edit, ...]:
    """The edits of all files: those of the first one have no path."""
    own, *others = changes
    return (*own.edits, *(replace(edit, path=one.path) for one in others for edit in one.edits))
