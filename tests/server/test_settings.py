"""Configuration files and the editor's own options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types

from gradlint.server.options import Options, read
from server.loops import LATE

if TYPE_CHECKING:
    from server.conftest import Start


@pytest.mark.asyncio(loop_scope="session")
async def test_the_nearest_configuration_counts_and_its_change_is_noticed(start: Start) -> None:
    async with start(fresh=True) as editor:
        file = editor.root / "gradlint.toml"
        file.write_text('ignore = ["clip-after-step"]\n', encoding="utf-8")
        uri = editor.open("train.py", LATE)
        assert await editor.diagnostics(uri) == []
        await editor.until(lambda: editor.registered)
        (registration,) = editor.registered
        assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        file.write_text("", encoding="utf-8")
        before = len(editor.told)
        event = types.FileEvent(file.as_uri(), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        await editor.until(lambda: len(editor.told) > before)
        assert len(await editor.diagnostics(uri)) == 1


@pytest.mark.asyncio(loop_scope="session")
async def test_a_configuration_that_cannot_be_used_is_told_once(start: Start) -> None:
    async with start(fresh=True) as editor:
        (editor.root / "gradlint.toml").write_text('selekt = ["all"]\n', encoding="utf-8")
        uri = editor.open("train.py", LATE)
        assert len(await editor.diagnostics(uri)) == 1
        editor.replace(uri, 2, LATE + "\n")
        assert len(await editor.diagnostics(uri, 2)) == 1
        (message,) = editor.client.messages
    assert "unknown key 'selekt'; did you mean 'select'?" in message.message
    assert message.type is types.MessageType.Warning


@pytest.mark.asyncio(loop_scope="session")
async def test_the_editor_can_name_a_configuration(start: Start) -> None:
    async with start(fresh=True) as editor:
        file = editor.root / "quiet.toml"
        file.write_text('ignore = ["clipping"]\n', encoding="utf-8")
        uri = editor.open("train.py", LATE)
        assert len(await editor.diagnostics(uri)) == 1
        before = len(editor.told)
        settings = {"gradlint": {"configuration": str(file)}}
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
        await editor.until(lambda: len(editor.told) > before)
        assert await editor.diagnostics(uri) == []


@pytest.mark.asyncio(loop_scope="session")
async def test_an_option_that_means_nothing_is_told(start: Start) -> None:
    async with start(options={"inlayHint": True}, fresh=True) as editor:
        await editor.until(lambda: editor.client.messages)
        (message,) = editor.client.messages
    assert message.message == "gradlint: unknown option 'inlayHint'; did you mean 'inlayHints'?"


@pytest.mark.parametrize("data", [None, {}, {"gradlint": {}}])
def test_no_options_are_the_default(data: object) -> None:
    assert read(data) == (Options(), ())


@pytest.mark.parametrize("wrap", [lambda data: data, lambda data: {"gradlint": data, "python": {}}])
def test_options_are_read_with_and_without_their_section(wrap) -> None:
    options, complaints = read(wrap({"inlayHints": True, "delay": 50, "configuration": "a.toml"}))
    assert options == Options(hints=True, delay=50, configuration="a.toml")
    assert complaints == ()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"inlayHints": "yes"}, "the option 'inlayHints' must be true or false, not 'yes'"),
        ({"delay": True}, "the option 'delay' must be a number of milliseconds, not True"),
        ({"delay": -5}, "the option 'delay' must be a number of milliseconds, not -5"),
        ({"configuration": 1}, "the option 'configuration' must be the path of a configuration file, not 1"),
        ([], "the options must be an object, not []"),
    ],
)
def test_what_means_nothing_is_told_and_leaves_the_default(data: object, complaint: str) -> None:
    assert read(data) == (Options(), (complaint,))


@pytest.mark.asyncio(loop_scope="session")
async def test_what_the_configuration_says_of_single_files_counts(start: Start) -> None:
    async with start(fresh=True) as editor:
        (editor.root / "gradlint.toml").write_text('[per-file-ignores]\n"old_*.py" = ["all"]\n', encoding="utf-8")
        assert len(await editor.diagnostics(editor.open("train.py", LATE))) == 1
        assert await editor.diagnostics(editor.open("old_train.py", LATE)) == []
