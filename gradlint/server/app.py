"""The server: what the editor tells and asks, and who answers.

did open, did change  ──rest a moment──►  check  ──►  publish, if nothing has changed since
code action, hover, hints               ─────►  check the text as it is now  ──►  answer
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

from gradlint import __version__
from gradlint.config.resolve import Project
from gradlint.model.finding import Problem, Report
from gradlint.model.settings import ConfigError, Settings
from gradlint.server.client import Client
from gradlint.server.desk import Desk, Lost
from gradlint.server.diagnostics import diagnostics
from gradlint.server.documents import Protocol
from gradlint.server.options import Options, read
from gradlint.server.others import Others
from gradlint.server.session import Beside, Checked
from gradlint.server.units import Unit, path_of, unit_of, units

if TYPE_CHECKING:
    from gradlint.fix.result import FixResult
    from gradlint.model.trace import RegionTrace

NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells([types.NotebookCellLanguage("python")])]
)


class Server(LanguageServer):
    """One editor's server: its texts, its options, and the desk that works for it."""

    def __init__(self) -> None:
        super().__init__("gradlint", __version__, notebook_document_sync=NOTEBOOKS, protocol_cls=Protocol)
        self.options = Options()
        self.client = Client()
        self.desk = Desk()
        self.moment = 0
        self.changed: set[str] = set()
        self._related: dict[str, frozenset[str]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._told: set[str] = set()

    def adopt(self, data: object) -> None:
        """Take over the editor's options; what means nothing is told."""
        self.options, complaints = read(data)
        for complaint in complaints:
            self.tell(complaint)

    def tell(self, message: str) -> None:
        """Show a message, once."""
        if message not in self._told:
            self._told.add(message)
            kind = types.MessageType.Warning
            self.window_show_message(types.ShowMessageParams(kind, f"gradlint: {message}"))

    def holds(self, uri: str) -> bool:
        """Whether a text is open."""
        return uri in self.workspace.text_documents

    def unit(self, uri: str) -> Unit | None:
        """The program to which an open text belongs."""
        return unit_of(self.workspace, uri)

    @property
    def others(self) -> Others:
        """The files beside one that is shown."""
        return Others(self.workspace)

    def settings(self, unit: Unit) -> Settings:
        """The settings of a unit; a configuration that cannot be used is told, and does not count."""
        try:
            return Project(self.options.configuration or None).of_file(unit.path)
        except ConfigError as error:
            self.tell(str(error))
            return Settings()

    def beside(self, unit: Unit) -> Beside:
        """What a unit's findings rest on beside itself: the other files that are open, and those on the disk."""
        others = (one for one in units(self.workspace) if one.uri != unit.uri and one.is_file)
        texts = tuple(sorted((one.path, one.text) for one in others))
        return Beside(texts, self.moment, self.options.configuration)

    async def checked(self, unit: Unit) -> Checked:
        """What is found in a unit; a failure of gradlint itself is a problem, too."""
        try:
            found = cast("Checked", await self._asked("check", unit))
        except (RuntimeError, Lost) as error:
            return Checked(Report((), (Problem(unit.path, str(error)),), 1, 0))
        self._related[unit.uri] = found.related
        return found

    async def report(self, unit: Unit) -> Report:
        """The findings in a unit."""
        return (await self.checked(unit)).report

    async def repaired(self, unit: Unit) -> FixResult:
        """A unit after all safe repairs."""
        return cast("FixResult", await self._asked("fix", unit))

    async def traces(self, unit: Unit) -> tuple[RegionTrace, ...]:
        """The ledgers of a unit."""
        return cast("tuple[RegionTrace, ...]", await self._asked("trace", unit))

    def soon(self, uri: str, delay: int = 0, *, spreads: bool = True) -> None:
        """Check the program of a text after a rest, unless it changes again before.

        Args:
            uri: the text.
            delay: milliseconds.
            spreads: Whether the text has changed, so that what has to do with it is checked, too.
        """
        unit = self.unit(uri)
        if unit is not None:
            self.forget(unit.uri)
            self._waiting[unit.uri] = asyncio.ensure_future(self._publish(unit.uri, delay / 1000, spreads=spreads))

    def everything_soon(self) -> None:
        """Check all open programs again, for the disk is another one."""
        self._told.clear()
        self.moment += 1
        for unit in units(self.workspace):
            self.soon(unit.uri, spreads=False)

    def closed(self, uri: str) -> None:
        """A text is no longer open: what it held counts only as far as it was saved."""
        before = self._related.pop(uri, frozenset())
        if uri in self.changed:
            self.changed.discard(uri)
            self.moment += 1
            self._related_soon(uri, before)

    def _related_soon(self, uri: str, own: frozenset[str]) -> None:
        """Check the open programs again that have to do with one.

        Args:
            uri: it has changed, or was closed.
            own: the files that it has to do with, or had before.
        """
        path = path_of(uri)
        for one in list(units(self.workspace)):
            if one.uri != uri and (one.path in own or path in self._related.get(one.uri, frozenset())):
                self.soon(one.uri, spreads=False)

    def forget(self, uri: str) -> None:
        """No longer check a program."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Take away what is shown in a text."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _asked(self, name: str, unit: Unit) -> object:
        """An answer about a unit; about its project as it is by then, where another text has changed meanwhile."""
        while True:
            beside = self.beside(unit)
            try:
                return await self.desk.ask(name, unit, self.settings(unit), beside)
            except JsonRpcContentModified:
                if self.unit(unit.uri) != unit or self.beside(unit) == beside:
                    raise

    async def _publish(self, uri: str, delay: float, *, spreads: bool) -> None:
        await asyncio.sleep(delay)
        unit = self.unit(uri)
        if unit is None:
            return
        before = self._related.get(unit.uri, frozenset())
        try:
            checked = await self.checked(unit)
        except JsonRpcContentModified:
            return
        if self.unit(uri) != unit:
            return
        found = diagnostics(unit, checked, self.client, self.others)
        for part in unit.parts:
            params = types.PublishDiagnosticsParams(part.uri, found[part.uri], part.version)
            self.text_document_publish_diagnostics(params)
        if spreads:
            self._related_soon(unit.uri, before | self._related.get(unit.uri, frozenset()))
