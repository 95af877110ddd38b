"""The table of all calls for readers, written out of the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from gradlint.libraries.operations import Operation
from gradlint.libraries.record import Library, LibraryCall
from gradlint.libraries.tables import LIBRARIES
from gradlint.model.roles import Role

_HEAD = """# Library calls

Which calls of each library gradlint has a meaning for, what each does on paper, where gradients are sums of exact
fractions, and which operation is the same on real objects. `*.name` is meant where the import cannot be seen, or comes
from elsewhere; methods stand with the role of their object. All other calls are followed into the file, or are out of
sight. The page is written out of `gradlint/libraries/`, one record a call, by `python docs/libraries.py`.
"""


def page() -> str:
    """All libraries, and then what the operations are."""
    operations = "\n".join(f"| {operation.name.lower()} | {operation.value} |" for operation in Operation)
    parts = [_HEAD, *map(_section, LIBRARIES), f"## Operations\n\n| operation | |\n|---|---|\n{operations}\n"]
    return "\n".join(parts)


def _section(library: Library) -> str:
    rows = "\n".join(_row(record) for record in library.calls)
    return (
        f"## {library.name}\n\nSource: <{library.source}>\n\n| call | on paper | operation |\n|---|---|---|\n{rows}\n"
    )


def _row(record: LibraryCall) -> str:
    names = ", ".join(f"`{_shown(record.of, name)}`" for name in record.names)
    anywhere = "; so does any object's" if record.anywhere else ""
    real = record.real.name.lower() if record.real is not None else ""
    return f"| {names} | {', '.join(_means(record))}{anywhere} | {real} |"


def _shown(of: Role | None, name: str) -> str:
    """`optimizer.step`, `model()`."""
    if of is None:
        return name
    owner = of.value.replace(" ", "_")
    return f"{owner}()" if name == "__call__" else f"{owner}.{name}"


def _means(record: LibraryCall) -> Iterator[str]:
    """The action in words, with the options that say more."""
    options = record.effect.options
    yield record.effect.action.meaning if record.role is None else f"makes: {record.role.value}"
    for field in fields(options) if options is not None and record.role is None else ():
        value = getattr(options, field.name)
        if value is not None and value is not False and value != "":
            name = field.name.replace("_", " ")
            yield name if value is True else f"{name} at {value}" if isinstance(value, int) else f"{name} `{value}`"
