"""Callees: what a call means by the name of what it calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from gradlint.libraries.own import own_words
from gradlint.libraries.packages import of_other_library
from gradlint.libraries.tables import BUILTINS, CALLS
from gradlint.lower.names import Names, last_name
from gradlint.model.custom import current
from gradlint.model.effects import Action, Effect, Gate
from gradlint.model.roles import Role
from gradlint.model.told import NOTHING


def effect_of(names: Names, func: ast.expr) -> Effect | None:
    """What a callee means by its qualified name, or by its last component where no import shows."""
    qualified = names.qualified(func)
    name = last_name(func)
    if name is None:
        return None
    if names.told is not NOTHING:
        told = names.told_effect(func)
        if told is not None:
            return told
    own = _own(own_words(current()), qualified, name)
    if own is not None or (isinstance(func, ast.Name) and name in names.defined):
        return own or names.wrappers.get(name)
    if qualified is not None and names.beyond.defines(qualified):
        return names.beyond.wrapper(qualified)
    if isinstance(func, ast.Name) and qualified is None and name in BUILTINS:
        return BUILTINS[name]
    if of_other_library(qualified):
        return _OTHERS
    if qualified is not None and qualified in CALLS:
        return CALLS[qualified]
    if qualified is None and isinstance(func, ast.Attribute) and names.role_of(func.value):
        return None
    bare = name if qualified is None else qualified.rsplit(".", 1)[-1]
    starred = f"*.{bare}"
    if starred in CALLS and _plausible(qualified, bare, func):
        return CALLS[starred]
    return CALLS.get(f"{last_name(func.value)}.{name}") if isinstance(func, ast.Attribute) else None


_OTHERS = Effect(Action.FOREIGN)
"""What a library does that is not torch."""


def own_scalers(names: Names, nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names of what the project's own scalers are assigned to, whatever they are called."""
    if not current().scaler_callables:
        return frozenset()
    return frozenset(
        name
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for effect in (effect_of(names, node.value.func),)
        if effect is not None and effect.role is Role.SCALER_CALLABLE
        for target in node.targets
        if (name := last_name(target))
    )


def own_wrappers(names: Names, nodes: Iterable[ast.AST]) -> Mapping[str, Effect]:
    """The classes of a file that are distributed wrappers by what they derive from, with what making one means."""
    found: dict[str, Effect] = {}
    for node in nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        for base in node.bases:
            name, brought = last_name(base) or "", names.qualified(base)
            if brought is not None and names.beyond.defines(brought):
                continue  # that file may ask this one
            effect = found.get(name) if name in names.defined else effect_of(names, base)
            if effect is not None and effect.wrapper:
                found[node.name] = effect
    return found


def _own(words: Mapping[str, Effect], qualified: str | None, name: str) -> Effect | None:
    """What the project's configuration says of a callee; a relative import counts by its end."""
    if not words:
        return None
    if qualified is not None and qualified.startswith("."):
        end = "." + qualified.lstrip(".")
        found = next((effect for key, effect in words.items() if f".{key}".endswith(end)), None)
    else:
        found = words.get(qualified or "")
    return found or words.get(f"*.{name}")


def _plausible(qualified: str | None, name: str, func: ast.expr) -> bool:
    """A bare last component counts unless the import shows a package it cannot come from."""
    if name == "optimizer_step":
        return qualified is not None and "xla" in qualified
    if isinstance(func, ast.Attribute) and qualified is None:
        return not isinstance(func.value, ast.Name) or func.value.id not in ("self", "cls")
    return True


def sets_no_mode(names: Names, effect: Effect, node: ast.Call) -> bool:
    """Whether what is called like a switch of modes is given more than a mode: `engine.train(loader, valid)`."""
    if effect.action is not Action.MODE:
        return False
    other = len(node.args) + len(node.keywords) > 1 or any(keyword.arg != "mode" for keyword in node.keywords)
    return other or any(names.role_of(arg) is Role.LOADER for arg in node.args)


def launched(node: ast.Call, effect: Effect) -> ast.Call | None:
    """The call that `mp.spawn(worker, args=(options,))` has its processes make."""
    given = [*node.args[:1], *(word.value for word in node.keywords if word.arg in ("fn", "function"))]
    if effect.action is not Action.LAUNCH or not given or isinstance(given[0], ast.Starred):
        return None
    return ast.copy_location(ast.Call(func=given[0], args=[], keywords=[]), node)


def put_off(node: ast.Call) -> ast.Call | None:
    """The call that `stack.callback(optimizer.zero_grad)` has made where the stack is left."""
    given = node.args[0] if last_name(node.func) == "callback" and node.args else None
    if not isinstance(given, (ast.Name, ast.Attribute)):
        return None
    return ast.copy_location(ast.Call(func=given, args=node.args[1:], keywords=node.keywords), node)


def as_call(role: Role | None) -> Gate:
    """What the call of an object does by its role alone."""
    if role in (Role.MODEL, Role.CRITERION, Role.ENGINE):
        return Gate.FORWARD
    return Gate.STEP | Gate.BACKWARD if role is Role.SCALER_CALLABLE else Gate.NOTHING
