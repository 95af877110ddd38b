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
from gradlint.server.units import Unit, unit_of, units

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

    async def report(self, unit: Unit) -> Report:
        """The findings of a unit; a failure of gradlint itself is a problem, too."""
        try:
            return cast("Report", await self.desk.ask("check", unit, self.settings(unit)))
        except (RuntimeError, Lost) as error:
            return Report((), (Problem(unit.path, str(error)),), 1, 0)

    async def repaired(self, unit: Unit) -> FixResult:
        """A unit after all safe repairs."""
        return cast("FixResult", await self.desk.ask("fix", unit, self.settings(unit)))

    async def traces(self, unit: Unit) -> tuple[RegionTrace, ...]:
        """The ledgers of a unit."""
        return cast("tuple[RegionTrace, ...]", await self.desk.ask("trace", unit, self.settings(unit)))

    def soon(self, uri: str, delay: int = 0) -> None:
        """Check the program of a text after a rest, unless it changes again before.

        Args:
            uri: the text.
            delay: milliseconds.
        """
        unit = self.unit(uri)
        if unit is not None:
            self.forget(unit.uri)
            self._waiting[unit.uri] = asyncio.ensure_future(self._publish(unit.uri, delay / 1000))

    def everything_soon(self) -> None:
        """Check all open programs again."""
        self._told.clear()
        for unit in units(self.workspace):
            self.soon(unit.uri)

    def forget(self, uri: str) -> None:
        """No longer check a program."""
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Take away what is shown in a text."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _publish(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        unit = self.unit(uri)
        if unit is None:
            return
        try:
            report = await self.report(unit)
        except JsonRpcContentModified:
            return
        if self.unit(uri) != unit:
            return
        found = diagnostics(unit, report, self.client, self.others)
        for part in unit.parts:
            params = types.PublishDiagnosticsParams(part.uri, found[part.uri], part.version)
            self.text_document_publish_diagnostics(params)
