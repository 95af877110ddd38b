"""An editor that talks to a real `gradlint server`, as pytest-lsp plays it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

PATIENCE = 60.0
"""Seconds until an answer is given up; generous, for the machine may be busy."""

COMMAND = [sys.executable, "-m", "gradlint", "server", "--stdio"]


@dataclass
class Editor:
    """A client, what it was told, and short ways to say and ask."""

    client: LanguageClient
    root: Path
    told: list[types.PublishDiagnosticsParams] = field(default_factory=list)
    registered: list[types.Registration] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str, version: int = 1, language: str = "python") -> str:
        """Open a text that no disk has; its URI."""
        uri = self.uri(name)
        self.opened.append(uri)
        item = types.TextDocumentItem(uri, language, version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def close(self) -> None:
        """Close everything that was opened."""
        for uri in self.opened:
            identifier = types.TextDocumentIdentifier(uri)
            self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        self.opened.clear()

    def change(self, uri: str, version: int, *changes: types.TextDocumentContentChangeEvent) -> None:
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, list(changes)))

    def replace(self, uri: str, version: int, text: str) -> None:
        self.change(uri, version, types.TextDocumentContentChangeWholeDocument(text))

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""

        async def wait() -> None:
            while not holds():  # noqa: ASYNC110  # what is awaited has no event of its own
                await asyncio.sleep(0.01)

        await asyncio.wait_for(wait(), PATIENCE)

    async def diagnostics(self, uri: str, version: int | None = 1) -> list[types.Diagnostic]:
        """What is shown in a version of a text, once it is."""

        def found() -> list[types.PublishDiagnosticsParams]:
            return [one for one in self.told if one.uri == uri and one.version == version]

        await self.until(found)
        return list(found()[-1].diagnostics)

    async def actions(
        self,
        uri: str,
        where: types.Range,
        only: Sequence[str] | None = None,
        shown: Sequence[types.Diagnostic] = (),
    ) -> list[types.CodeAction]:
        context = types.CodeActionContext(list(shown), only=only)  # type: ignore[arg-type]
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(params)
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    async def hover(self, uri: str, line: int, character: int) -> types.Hover | None:
        position = types.Position(line, character)
        params = types.HoverParams(types.TextDocumentIdentifier(uri), position)
        return await self.client.text_document_hover_async(params)

    async def hints(self, uri: str, first: int = 0, last: int = 999) -> list[types.InlayHint]:
        where = types.Range(types.Position(first, 0), types.Position(last, 0))
        params = types.InlayHintParams(types.TextDocumentIdentifier(uri), where)
        return list(await self.client.text_document_inlay_hint_async(params) or ())


async def _begin(root: Path, name: str, options: Any, encodings: Sequence[str] | None) -> Editor:
    client = LanguageClient(converter_factory=default_converter)
    editor = Editor(client, root)

    def publish(client: LanguageClient, params: types.PublishDiagnosticsParams) -> None:
        editor.told.append(params)

    def registration(client: LanguageClient, params: types.RegistrationParams) -> None:
        editor.registered += params.registrations

    features = {
        **DEFAULT_CLIENT_FEATURES,
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
        types.CLIENT_REGISTER_CAPABILITY: registration,
    }
    register_lsp_features(client, features)
    await ClientServerConfig(COMMAND, client_factory=lambda: client).start()
    capabilities = client_capabilities(name)
    if encodings is not None:
        capabilities.general = types.GeneralClientCapabilities(position_encodings=list(encodings))
    params = types.InitializeParams(capabilities, root_uri=root.as_uri(), initialization_options=options)
    await client.initialize_session(params)
    return editor


async def _end(editor: Editor) -> None:
    await editor.client.shutdown_session()
    await editor.client.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running() -> AsyncIterator[dict[str, Editor]]:
    """Editors whose servers go on from test to test, by what they were started with."""
    editors: dict[str, Editor] = {}
    yield editors
    for editor in editors.values():
        await _end(editor)


Start = Callable[..., AbstractAsyncContextManager[Editor]]


@pytest.fixture
def start(tmp_path: Path, running: dict[str, Editor]) -> Start:
    """An editor of a given name, with given options; `fresh` is one whose server has done nothing yet."""

    @asynccontextmanager
    async def begin(
        options: Any = None,
        name: str = "visual-studio-code",
        encodings: Sequence[str] | None = None,
        fresh: bool = False,
    ) -> AsyncIterator[Editor]:
        if fresh:
            editor = await _begin(tmp_path, name, options, encodings)
            yield editor
            await _end(editor)
            return
        key = repr((options, name, encodings))
        editor = running.get(key) or await _begin(tmp_path, name, options, encodings)
        running[key] = editor
        editor.root, editor.told[:] = tmp_path, []
        yield editor
        editor.close()

    return begin
