"""Everything an editor can tell or ask, and what is done about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from gradlint.server.actions import FIX_ALL, fix_all, fixable, fixed, quick_fixes, wanted
from gradlint.server.app import Server
from gradlint.server.client import Client
from gradlint.server.hints import hints
from gradlint.server.hover import hover

Handler = Callable[[Server, Any], object]
_WATCHED = ("**/pyproject.toml", "**/gradlint.toml", "**/*.py", "**/*.yaml", "**/*.yml")
_ACTIONS = types.CodeActionOptions([types.CodeActionKind.QuickFix, FIX_ALL], resolve_provider=True)


def register(server: Server) -> None:
    """Give the server all of its abilities."""
    handlers: dict[str, Handler] = {
        types.INITIALIZE: initialize,
        types.INITIALIZED: initialized,
        types.SHUTDOWN: shutdown,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_configure,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_files,
        types.TEXT_DOCUMENT_DID_OPEN: did_open,
        types.TEXT_DOCUMENT_DID_CHANGE: did_change,
        types.TEXT_DOCUMENT_DID_SAVE: did_open,
        types.TEXT_DOCUMENT_DID_CLOSE: did_close,
        types.NOTEBOOK_DOCUMENT_DID_OPEN: did_open_notebook,
        types.NOTEBOOK_DOCUMENT_DID_CHANGE: did_change_notebook,
        types.NOTEBOOK_DOCUMENT_DID_SAVE: did_open_notebook,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE: did_close_notebook,
        types.TEXT_DOCUMENT_HOVER: on_hover,
        types.TEXT_DOCUMENT_INLAY_HINT: on_hints,
        types.TEXT_DOCUMENT_CODE_ACTION: on_actions,
        types.CODE_ACTION_RESOLVE: on_resolve,
    }
    for name, handler in handlers.items():
        server.feature(name, _ACTIONS if name == types.TEXT_DOCUMENT_CODE_ACTION else None)(handler)


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Learn what the editor understands and wishes."""
    server.client = Client.of(params.capabilities)
    server.adopt(params.initialization_options)


def initialized(server: Server, _: types.InitializedParams) -> None:
    """Ask to be told when a file changes that findings rest on: configuration, and the project's own."""
    if server.client.watches:
        watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        server.client_register_capability(types.RegistrationParams([types.Registration("gradlint", name, options)]))


def shutdown(server: Server, _: None) -> None:
    """End the work."""
    server.desk.close()


def did_configure(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """The editor's settings have changed; one that only says so keeps its options."""
    if params.settings is not None:
        server.adopt(params.settings)
        if server.client.refreshes:
            server.workspace_inlay_hint_refresh(None)
    server.everything_soon()


def did_change_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files have changed on the disk; of those that are open the editor has told already."""
    saved = types.FileChangeType.Changed
    if not all(one.type is saved and server.holds(one.uri) for one in params.changes):
        server.everything_soon()


def did_open(server: Server, params: types.DidOpenTextDocumentParams | types.DidSaveTextDocumentParams) -> None:
    """A text was opened or saved: check it at once."""
    if not server.client.watches:
        server.moment += 1
    server.soon(params.text_document.uri)


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A text has changed: check it when the keys rest."""
    server.changed.add(params.text_document.uri)
    server.soon(params.text_document.uri, server.options.delay)


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A text was closed: nothing is shown in it any more, and for others it is again as the disk has it."""
    server.forget(params.text_document.uri)
    server.desk.forget(params.text_document.uri)
    server.clear(params.text_document.uri)
    server.closed(params.text_document.uri)


def did_open_notebook(
    server: Server, params: types.DidOpenNotebookDocumentParams | types.DidSaveNotebookDocumentParams
) -> None:
    """A notebook was opened or saved: check it at once."""
    server.soon(params.notebook_document.uri)


def did_change_notebook(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Cells have changed: check the notebook when the keys rest; forget those that are gone."""
    cells = params.change.cells
    gone = (cells.structure.did_close or ()) if cells and cells.structure else ()
    for cell in gone:
        server.clear(cell.uri)
    server.soon(params.notebook_document.uri, server.options.delay)


def did_close_notebook(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """A notebook was closed: nothing is shown in its cells any more."""
    server.forget(params.notebook_document.uri)
    server.desk.forget(params.notebook_document.uri)
    server.closed(params.notebook_document.uri)
    for cell in params.cell_text_documents:
        server.clear(cell.uri)


async def on_hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """The books and the page of the rule under the cursor."""
    unit = server.unit(params.text_document.uri)
    place = unit.place(params.text_document.uri, params.position) if unit else None
    if unit is None or place is None:
        return None
    return hover(unit, await server.report(unit), place, server.client)


async def on_hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The ledger at each step, where the editor wants it."""
    uri = params.text_document.uri
    unit = server.unit(uri)
    first, last = (unit.place(uri, end) if unit else None for end in (params.range.start, params.range.end))
    if unit is None or first is None or last is None or not server.options.hints:
        return []
    return hints(unit, await server.traces(unit), uri, (first[0], last[0]))


async def on_actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The repairs of what is found here, and all safe ones at once."""
    uri = params.text_document.uri
    unit = server.unit(uri)
    if unit is None:
        return []
    report = await server.report(unit)
    found = list(quick_fixes(unit, report, uri, params.range, params.context, server.client, server.others))
    if wanted(FIX_ALL, params.context.only) and fixable(report):
        action = fix_all(unit)
        found.append(action if server.client.lazy else await on_resolve(server, action))
    return found


async def on_resolve(server: Server, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit, for the text as it is now."""
    data = action.data
    unit = server.unit(data["uri"]) if isinstance(data, dict) and action.kind == FIX_ALL else None
    if unit is None:
        return action
    return fixed(action, unit, await server.repaired(unit), server.client)
