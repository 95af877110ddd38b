"""A backward that is written in both branches of an `if`, once under `no_sync()`.

loss = criterion(model(x), y)            with model.no_sync() if i % n else nullcontext():
if i % n:                                    loss = criterion(model(x), y)
    with model.no_sync():                    loss.backward()
        loss.backward()          ──►     if not i % n:
else:                                        optimizer.step()
    loss.backward()
    optimizer.step()
"""

from __future__ import annotations

import ast
import io
import tokenize

from gradlint.fix import enclosing
from gradlint.fix.code import negated
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.fix.syncing import nullcontext
from gradlint.fix.windows import header
from gradlint.fix.work import Work
from gradlint.model.edits import Enter


def enter(work: Work, edit: Enter) -> None:
    """Carry out an `Enter`."""
    layout = work.layout
    scope = enclosing.scope_around(layout, edit.inner)
    choice = layout.owner(scope)
    if not isinstance(choice, ast.If):
        enclosing.enter(work, edit)
        return
    quiet, loud = (choice.body, choice.orelse) if scope in choice.body else (choice.orelse, choice.body)
    shared = [ast.dump(one) for one in scope.body]
    if quiet != [scope] or len(scope.items) != 1 or [ast.dump(one) for one in loud[: len(shared)]] != shared:
        raise Refused("the two branches differ in more than `no_sync()`")
    stay, moved = enclosing.dividing(layout, edit.first, choice, [choice.test, scope.items[0].context_expr])
    margin, deeper = layout.indent(choice), layout.indent(choice) + layout.unit()
    silent, test, rest = layout.code(scope.items[0].context_expr), layout.code(choice.test), loud[len(shared) :]
    under = loud is choice.orelse
    arms = (silent, nullcontext(work)) if under else (nullcontext(work), silent)
    lines = [layout.block([one], margin) for one in stay]
    lines += [f"{margin}{comment}{layout.newline}" for comment in _comments(layout, choice, [scope.body, rest])]
    lines += [margin, header(layout, margin, (arms[0], f"if {test}", f"else {arms[1]}"))]
    lines += [layout.newline, *(layout.block(run, deeper) for run in moved), layout.block(scope.body, deeper)]
    if rest:
        left = negated(test) if under else test
        lines += [f"{margin}if {left}:{layout.newline}", layout.block(rest, deeper)]
    first = layout.rows(moved[0][:1])[0]
    work.cuts.append(Cut(layout.starts[first - 1], layout.starts[layout.span(choice).end_row], "".join(lines)))


def _comments(layout: Layout, node: ast.stmt, kept: list[list[ast.stmt]]) -> list[str]:
    """The comments of a statement, without those of the runs of statements in it that are kept."""
    own = {row for run in kept if run for row in range(layout.first_row(run[0]), layout.span(run[-1]).end_row + 1)}
    rows = set(range(layout.first_row(node), layout.span(node).end_row + 1)) - own
    found = tokenize.generate_tokens(io.StringIO(layout.text).readline)
    return [token.string for token in found if token.type == tokenize.COMMENT and token.start[0] in rows]
