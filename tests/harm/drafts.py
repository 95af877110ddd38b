"""How the cases of a skeleton are written: a sound loop, and the edits by which other people's differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from harm.case import Case

Edit = tuple[str, str]
Edits = tuple[Edit, ...]


def changed(text: str, *edits: Edit) -> str:
    """`text` with each `old` replaced by its `new`; every `old` must stand there exactly once.

    >>> changed("a = 1", ("1", "2"))
    'a = 2'

    Raises:
        ValueError: `old` is not there, or not once.
    """
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"stands there {text.count(old)} times, not once:\n{old}")
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Draft:
    """A sound loop as a careful engineer has it."""

    skeleton: str
    text: str
    tempts: tuple[str, ...]
    ranks: int = 1

    def styled(self, *edits: Edit) -> Draft:
        """The same loop, as sound, in other words."""
        return replace(self, text=changed(self.text, *edits))

    def right(self, name: str, *edits: Edit, tempts: tuple[str, ...] = (), raises: str = "") -> Case:
        """A loop to be left as it is: it is sound, or behaves like a sound one, or only its author can mend it."""
        text = changed(self.text, *edits)
        return self._case(name, text, (text,), tempts, raises)

    def wrong(
        self,
        name: str,
        *mistakes: Edits,
        fine: tuple[Edits, ...] = (),
        tempts: tuple[str, ...] = (),
        raises: str = "",
    ) -> Case:
        """A loop with mistakes, each of which has one right repair.

        Some of several mistakes may be mended; `fine` are other sound ways to write it.
        """
        kept = [some for size in range(1, len(mistakes)) for some in combinations(mistakes, size)]
        some = tuple(tuple(edit for mistake in left for edit in mistake) for left in kept)
        return self.together(name, *mistakes, fine=(*some, *fine), tempts=tempts, raises=raises)

    def together(
        self,
        name: str,
        *mistakes: Edits,
        fine: tuple[Edits, ...] = (),
        tempts: tuple[str, ...] = (),
        raises: str = "",
    ) -> Case:
        """A loop with mistakes that are mended all or not at all: one alone would do harm."""
        careful = (self.text, *(changed(self.text, *edits) for edits in fine))
        return self._case(name, self._with(mistakes), careful, tempts, raises)

    def left(
        self,
        name: str,
        *mistakes: Edits,
        fine: tuple[Edits, ...] = (),
        tempts: tuple[str, ...] = (),
        raises: str = "",
    ) -> Case:
        """A loop that is better left as it is: to mend it takes more than is seen. The sound one is allowed."""
        written = self._with(mistakes)
        careful = (written, self.text, *(changed(self.text, *edits) for edits in fine))
        return self._case(name, written, careful, tempts, raises)

    def _with(self, mistakes: tuple[Edits, ...]) -> str:
        return changed(self.text, *(edit for mistake in mistakes for edit in mistake))

    def _case(self, name: str, written: str, careful: tuple[str, ...], tempts: tuple[str, ...], raises: str) -> Case:
        return Case(name, self.skeleton, written, careful, self.ranks, tempts or self.tempts, raises)
