"""Loops that make a few pictures for the eye, beside a training: nobody measures anything in them.

for _ in range(5):
    rows.append(net(next(samples)))
cv2.imwrite(path, np.concatenate(rows))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradlint.lower.outline import Outline
from gradlint.model.pattern import pattern
from gradlint.syntax.nodes import walk

_PAINTS = pattern(r"(?i)^(im(write|save|show)|save_?(image|img|fig|grid|plot)s?|savefig|make_grid|add_images?)$")
_WORKS = pattern(
    r"(?i)^(backward|step|train|zero_grad)$"
    r"|loss|metric|acc\b|accura|correct|score|criter|psnr|ssim|error|\bmse\b|_acc\b|prec|recall"
)


def painted(text: str, outline: Outline) -> frozenset[int]:
    """The rows of loops over so many numbers that measure nothing, in a suite that paints a picture."""
    if not any(word in text for word in ("imwrite", "imsave", "imshow", "savefig", "save_", "make_grid", "add_image")):
        return frozenset()
    found: set[int] = set()
    for suite in _suites(outline):
        loops = [node for node in suite if isinstance(node, ast.For) and _counts(node) and not _works(node)]
        if loops and any(_paints(node) for node in suite):
            found |= {row for loop in loops for row in range(loop.lineno, (loop.end_lineno or loop.lineno) + 1)}
    return frozenset(found)


def _suites(outline: Outline) -> Iterator[list[ast.stmt]]:
    for node in outline.nodes:
        for name in ("body", "orelse", "finalbody"):
            suite = getattr(node, name, None)
            if isinstance(suite, list):
                yield suite


def _counts(loop: ast.For) -> bool:
    """Whether a loop is `for _ in range(number)`: so many times, and not once for each batch of a loader."""
    called = loop.iter
    if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name) or called.func.id != "range":
        return False
    return len(called.args) == 1 and isinstance(called.args[0], (ast.Constant, ast.Name, ast.Attribute))


def _works(loop: ast.For) -> bool:
    """Whether a loop trains, measures something, or goes through all that another one has."""
    if any(isinstance(part, (ast.For, ast.While)) for part in walk(loop) if part is not loop):
        return True
    names = (getattr(part, "id", getattr(part, "attr", "")) for part in walk(loop))
    return any(_WORKS.search(name) for name in names if isinstance(name, str))


def _paints(node: ast.stmt) -> bool:
    called = (part.func for part in walk(node) if isinstance(part, ast.Call))
    return any(_PAINTS.search(getattr(func, "attr", getattr(func, "id", ""))) for func in called)
