"""Where a project trains: which of its files hold a training loop, and from which others one may be run.

    main.py ──Runner──► runner.py ──train_one_epoch──► engine.py   holds one
       └ names what names what works on gradients: a region may begin here

Files are told by their bytes, by what they import and by the names in them; nothing is parsed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gradlint.check.carrying import NOTHING, carried, keeping
from gradlint.model.custom import using
from gradlint.model.once import cached_property
from gradlint.project.modules import INIT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from gradlint.check.carrying import Carried
    from gradlint.lower.linked import Linked
    from gradlint.model.custom import Custom
    from gradlint.project.project import Project


SMALL = 60
"""In a project of so few files all are looked into from which imports lead to a loop."""

DEEP = 4
"""Names of packages within packages are followed so far: `package.part.engine.train`."""


class Training:
    """The files of a project that may have to do with a training loop."""

    def __init__(
        self,
        project: Project,
        linked: Linked,
        custom: Custom,
        base: Training | None = None,
        changed: Collection[str] = (),
    ) -> None:
        """Of a project, its files as they are linked, and its own words; of a `base` with other texts in some files."""
        self._base = base
        self._changed = tuple(changed)
        self._project = project
        self._linked = linked
        self._custom = custom

    @cached_property
    def holders(self) -> frozenset[str]:
        """The files that hold a loop, or a part of one."""
        return self._project.holders(self._custom.tokens)

    @cached_property
    def running(self) -> frozenset[str]:
        """The files in which a region may begin, by their own calls or by what they call elsewhere."""
        return frozenset(one for one in self._project.files if self.runs(one))

    @cached_property
    def carrying(self) -> frozenset[str]:
        """The files in which a region may begin, by the names that carry; as in the base where these are the same."""
        with using(self._custom):
            if self._base is not None and self._base.holders == self.holders:
                there = self._base.search
                here = there.elsewhere(self._project, self._linked)
                if all(there.carried(one) == here.carried(one) for one in self._changed):
                    return self._base.carrying
            return frozenset(self.search.begin)

    @cached_property
    def search(self) -> _Search:
        """How that was found out."""
        with using(self._custom):
            search = _Search(self._project, self._linked, self.holders)
            search.run()
            return search

    def runs(self, path: str) -> bool:
        """Whether a region may begin in a file; in a small project, wherever imports lead to a loop."""
        if not self.holders or path in self.holders:
            return path in self.holders
        if self._project.size <= SMALL:
            return not self.holders.isdisjoint(self._linked.reach(path))
        return not self._is_apart(path) and path in self.carrying

    def _is_apart(self, path: str) -> bool:
        """Whether a file imports none of the project, and none imports it: then the others need not be searched."""
        searched = "carrying" in self.__dict__
        return not searched and not self._project.bound(path) and not self._project.importers(path)


def _reached(target: str, called: str, name: str) -> bool:
    """Whether a carrying name of a module is kept under the module's own: of what it imports itself, a package's alone.

    Files that import each other would go on naming each other: `a.b.a.b.train`.
    """
    pieces = name.split(".")
    return len(pieces) == 1 or (os.path.basename(target) == INIT and len(pieces) < DEEP and called not in pieces)


class _Search:
    """From the files that hold loops to those that import what carries, and so on."""

    def __init__(self, project: Project, linked: Linked, holders: frozenset[str]) -> None:
        self._project = project
        self._linked = linked
        self._holders = holders
        self._names: dict[str, frozenset[str]] = {}
        self._given: dict[str, frozenset[str]] = {}
        self._todo = dict.fromkeys(sorted(holders))
        self.begin = set(holders)

    def elsewhere(self, project: Project, linked: Linked) -> _Search:
        """What was found out, in another state of the project."""
        other = _Search(project, linked, self._holders)
        other._names, other._given = self._names, self._given
        return other

    def run(self) -> None:
        """Go through all of them, and note where a region may `begin`."""
        while self._todo:
            path = next(iter(self._todo))
            del self._todo[path]
            carries = self.carried(path)
            if carries.begins:
                self.begin.add(path)
                self._hand_over(path, carries)
            if carries.names != self._names.get(path, frozenset()):
                self._names[path] = carries.names
                self._todo |= dict.fromkeys(self._importers(path, carries.names))

    def _importers(self, path: str, names: frozenset[str]) -> Iterator[str]:
        """The files whose imports may bind one of these names, or the whole file."""
        folder, name = os.path.split(path)
        whole = os.path.basename(folder) if name == INIT else name.removesuffix(".py")
        words = (whole, "*", *names)
        for one in self._project.importers(path):
            if one.endswith(".py"):
                statements = self._project.statements(one)
                if any(word in statements for word in words):
                    yield one

    def carried(self, path: str) -> Carried:
        """What a file carries, by what is known of the others."""
        known = {*self._known(path), *self._given.get(path, ())}
        if not known and path not in self._holders:
            return NOTHING
        text = self._project.text(path) or ""
        return carried(text, known, self._linked.scan(path).working if path in self._holders else ())

    def _known(self, path: str) -> Iterator[str]:
        """What a file's imports bind that is known to carry."""
        for called, target, rest in self._project.bound(path):
            there = self._names.get(target, frozenset())
            if called in ("*", "_"):
                yield from there
            elif not rest:
                yield from (f"{called}.{name}" for name in there if _reached(target, called, name))
            elif rest.partition(".")[0] in there:
                yield called

    def _hand_over(self, path: str, carries: Carried) -> None:
        """Files that register what carries give it to whoever asks them."""
        words = {word.partition(".")[0]: word for word in carries.hands}
        for called, target, rest in self._project.bound(path):
            word = words.get(called)
            if word is None:
                continue
            name = ".".join(filter(None, (rest, word.partition(".")[2])))
            before = self._given.get(target, frozenset())
            kept = before | keeping(self._project.text(target) or "", name)
            if kept != before:
                self._given[target] = kept
                self._todo[target] = None
