"""A whole file: its functions and classes, its body, and the method references nobody calls."""

from __future__ import annotations

import ast

from gradlint.finding import Span
from gradlint.lower.gates import FunctionNode, Gates
from gradlint.lower.names import Names, dotted
from gradlint.lower.statements import Lowering
from gradlint.program import Class, Define, Function, Program
from gradlint.source import Places, parse


def lower(text: str, path: str) -> Program:
    """The program of a file.

    Args:
        text: the file's source.
        path: its name, for messages.

    Raises:
        SourceError: the text cannot be parsed.
    """
    tree = parse(text)
    names = Names.of(tree)
    places = Places(text)
    lowering = Lowering(places, names, Gates(names, _functions(tree)))
    body = lowering.module_body(tree, len(places.lines) or 1)
    functions: dict[str, Function] = {}
    classes: dict[str, Class] = {}
    for statement in body.body:
        if isinstance(statement, Define):
            if isinstance(statement.value, Class):
                classes[statement.name] = statement.value
            else:
                functions[statement.name] = statement.value
    return Program(
        path,
        body,
        functions,
        classes,
        _uncalled(tree, names, places),
        "zero" in text or "grad = None" in text,
    )


def _functions(tree: ast.Module) -> list[tuple[str | None, FunctionNode]]:
    """(class or None, function) for every function of the file, nested ones too."""
    found: list[tuple[str | None, FunctionNode]] = []
    todo: list[tuple[str | None, ast.AST]] = [(None, tree)]
    while todo:
        owner, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append((owner, child))
                todo.append((None, child))
            elif isinstance(child, ast.ClassDef):
                todo.append((child.name, child))
            else:
                todo.append((owner, child))
    return found


def _uncalled(tree: ast.Module, names: Names, places: Places) -> tuple[tuple[Span, str, str], ...]:
    """(place, receiver, method) of every statement that names a method and does not call it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            receiver = dotted(node.value.value)
            if receiver and names.is_uncalled(node.value):
                found.append((places.span(node), receiver, node.value.attr))
    return tuple(sorted(found))
