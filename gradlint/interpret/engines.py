"""Engines of Ignite: they call a function for each batch, and count these from 1, over all epochs.

def update(engine, batch):
    if engine.state.iteration % 4 == 0: ...

trainer = Engine(update)
"""

from __future__ import annotations

from collections.abc import Iterator

from gradlint.interpret.limits import nodes, parts_of_function
from gradlint.model.program import Attr, Call, Function, Program, Read


def engine_of(program: Program, function: Function) -> str | None:
    """The parameter that is Ignite's engine, which counts its batches from 1, where one is made of a function here.

    Only who asks for the count is looked after.
    """
    asked = {
        part.base.base.name
        for part in parts_of_function(function)
        if isinstance(part, Attr) and part.name == "iteration" and isinstance(part.base, Attr)
        if part.base.name == "state" and isinstance(part.base.base, Read)
    }
    names = [parameter.name for parameter in function.parameters[:2] if parameter.name in asked]
    return names[0] if names and any(_makes_engine(call, function.name) for call in _calls(program)) else None


def _calls(program: Program) -> Iterator[Call]:
    """All calls of a file."""
    methods = (function for cls in program.classes.values() for function in cls.methods.values())
    for one in (program.body, *program.functions.values(), *methods):
        yield from (part for part in nodes(one.body) if isinstance(part, Call))


def _makes_engine(call: Call, name: str) -> bool:
    """`Engine(update)`, of Ignite."""
    made = (call.func.qualified if isinstance(call.func, (Read, Attr)) else None) or ""
    given = call.args[0] if call.args else dict(call.keywords).get("process_function")
    library = made.startswith("ignite.") and made.endswith(".Engine")
    return library and isinstance(given, (Read, Attr)) and given.name == name
