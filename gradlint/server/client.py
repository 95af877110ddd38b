"""What the editor understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pygls.capabilities import get_capability

if TYPE_CHECKING:
    from lsprotocol.types import ClientCapabilities

_DOCUMENT = "text_document"


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities that change what is sent.

    Attributes:
        related: other places that take part in a finding.
        links: a link behind a finding's name.
        versions: edits that say which version of a text they are for.
        lazy: an action whose edit is computed when it is chosen.
        markdown: hovers in Markdown.
        watches: being asked to tell when a configuration file changes.
        refreshes: being told to ask for inlay hints again.
    """

    related: bool = False
    links: bool = False
    versions: bool = False
    lazy: bool = False
    markdown: bool = False
    watches: bool = False
    refreshes: bool = False

    @classmethod
    def of(cls, capabilities: ClientCapabilities) -> Client:
        """What a client says of itself."""

        def can(name: str) -> bool:
            return bool(get_capability(capabilities, name, False))

        resolvable = get_capability(capabilities, f"{_DOCUMENT}.code_action.resolve_support.properties", ())
        formats = get_capability(capabilities, f"{_DOCUMENT}.hover.content_format", ())
        return cls(
            related=can(f"{_DOCUMENT}.publish_diagnostics.related_information"),
            links=can(f"{_DOCUMENT}.publish_diagnostics.code_description_support"),
            versions=can("workspace.workspace_edit.document_changes"),
            lazy="edit" in (resolvable or ()) and can(f"{_DOCUMENT}.code_action.data_support"),
            markdown="markdown" in (formats or ()),
            watches=can("workspace.did_change_watched_files.dynamic_registration"),
            refreshes=can("workspace.inlay_hint.refresh_support"),
        )
