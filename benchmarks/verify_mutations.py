# /// script
# requires-python = ">=3.10"
# ///
"""How many planted mistakes the wet run sees: clean loops, each with one mistake of each rule that fits it.

    python benchmarks/verify_mutations.py fixtures/sound fixtures/*/fixed.py path/to/other/loops

A loop takes part when it is confirmed as it stands. A mistake is planted in the syntax tree of the functions
that belong to the loop. It counts as seen when the loop then differs, by whatever rule; the table says too how often
it was the mistake's own rule that saw it. Every mutant that is not seen is printed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gradlint.verify.files import loops_of, sliced_text, verify_text
from gradlint.verify.judge import GUESS, QUIET, Asked
from gradlint.verify.result import Loop
from gradlint.verify.slice.words import is_accumulation

Mutator = Callable[[list[ast.stmt]], bool]
ONCE = Asked()


def blocks(roots: Sequence[ast.AST]) -> Iterator[list[ast.stmt]]:
    """Every list of statements below the roots."""
    for root in roots:
        for node in ast.walk(root):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    yield block


def call_of(statement: ast.stmt, *names: str) -> ast.Call | None:
    """The call when the statement is one of a method of these names, and nothing else."""
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in names:
        return value
    return None


def receiver(call: ast.Call) -> str:
    """What the method is called on, as text."""
    assert isinstance(call.func, ast.Attribute)
    return ast.unparse(call.func.value)


def is_scheduler(call: ast.Call) -> bool:
    """Whether `x.step()` moves a scheduler."""
    return "sched" in receiver(call).lower() or "lr_policy" in receiver(call)


def optimizer_of(statement: ast.stmt) -> str:
    """The optimizer that a statement steps, as text, else nothing."""
    call = call_of(statement, "step")
    if call is None or is_scheduler(call):
        return ""
    if "scaler" in receiver(call).lower():
        return ast.unparse(call.args[0]) if call.args else ""
    return receiver(call) if "opt" in receiver(call).lower() else ""


def statement(text: str, near: ast.stmt) -> ast.stmt:
    """A new statement, on the line of another."""
    made = ast.parse(text).body[0]
    for node in ast.walk(made):
        if isinstance(node, (ast.stmt, ast.expr)):
            ast.copy_location(node, near)
    return made


def clips(one: ast.stmt) -> bool:
    """Whether a statement clips gradients."""
    call = one.value if isinstance(one, (ast.Expr, ast.Assign)) else None
    return isinstance(call, ast.Call) and "clip_grad" in ast.unparse(call.func)


def backs(one: ast.stmt) -> bool:
    """Whether a statement runs backward."""
    return call_of(one, "backward") is not None


def dropped(block: list[ast.stmt], test: Callable[[ast.stmt], bool]) -> bool:
    """Replace the statements that pass a test by `pass`."""
    found = [place for place, one in enumerate(block) if test(one)]
    for place in found:
        block[place] = statement("pass", block[place])
    return bool(found)


def first(block: list[ast.stmt], test: Callable[[ast.stmt], bool]) -> int | None:
    """Where the first statement stands that passes."""
    return next((place for place, one in enumerate(block) if test(one)), None)


# ---------------------------------------------------------------------- the mistakes


def no_zero(block: list[ast.stmt]) -> bool:
    """Nothing is cleared."""
    return dropped(block, lambda one: call_of(one, "zero_grad") is not None)


def zero_uncalled(block: list[ast.stmt]) -> bool:
    """`zero_grad` without its parentheses."""
    found = False
    for one in block:
        call = call_of(one, "zero_grad")
        if call is not None and isinstance(one, ast.Expr):
            one.value = call.func
            found = True
    return found


def zero_before_step(block: list[ast.stmt]) -> bool:
    """Cleared right before the step."""
    for place, one in enumerate(block):
        name = optimizer_of(one)
        call = call_of(one, "step")
        scaled = call is not None and "scaler" in receiver(call).lower()
        if name and not scaled and call is not None and not call.args:  # a closure zeroes by itself
            block.insert(place, statement(f"{name}.zero_grad()", one))
            return True
    return False


def zero_each(block: list[ast.stmt]) -> bool:
    """Cleared before every backward of a window."""
    place = first(block, backs)
    step = next((optimizer_of(one) for inner in blocks(block) for one in inner if optimizer_of(one)), "")
    if place is None or not step:
        return False
    block.insert(place, statement(f"{step}.zero_grad()", block[place]))
    return True


def clip_after_step(block: list[ast.stmt]) -> bool:
    """The clip moves behind the step."""
    place, step = first(block, clips), first(block, lambda one: bool(optimizer_of(one)))
    if place is None or step is None or place > step:
        return False
    block.insert(step, block.pop(place))
    return True


def clip_before_backward(block: list[ast.stmt]) -> bool:
    """The clip moves before the backward."""
    place, back = first(block, clips), first(block, backs)
    if place is None or back is None or place < back:
        return False
    block.insert(back, block.pop(place))
    return True


def no_unscale(block: list[ast.stmt]) -> bool:
    """The clip sees scaled gradients."""
    return any(map(clips, block)) and dropped(block, lambda one: call_of(one, "unscale_") is not None)


def two_unscales(block: list[ast.stmt]) -> bool:
    """Unscaled twice."""
    place = first(block, lambda one: call_of(one, "unscale_") is not None)
    if place is not None:
        block.insert(place, copy.deepcopy(block[place]))
    return place is not None


def is_update(one: ast.stmt) -> bool:
    """Whether a statement updates a scaler."""
    call = call_of(one, "update")
    return call is not None and "scaler" in receiver(call).lower()


def no_update(block: list[ast.stmt]) -> bool:
    """The scaler is never updated."""
    return dropped(block, is_update)


def bypass(block: list[ast.stmt]) -> bool:
    """The optimizer steps by itself."""
    for place, one in enumerate(block):
        call = call_of(one, "step")
        if call is not None and "scaler" in receiver(call).lower() and call.args:
            block[place] = statement(f"{ast.unparse(call.args[0])}.step()", one)
            return True
    return False


def unscaled(block: list[ast.stmt]) -> bool:
    """The loss is not scaled."""
    for place, one in enumerate(block):
        call = call_of(one, "backward")
        inner = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "scale":
            block[place] = statement(f"({ast.unparse(inner.args[0])}).backward()", one)
            return True
    return False


def windowed(node: ast.expr) -> bool:
    """Whether an expression is the window."""
    names = [getattr(one, "attr", getattr(one, "id", "")) for one in ast.walk(node)]
    return any(is_accumulation(name) for name in names)


class _Divisors(ast.NodeTransformer):
    def __init__(self, factor: str) -> None:
        self.factor = factor
        self.found = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) and windowed(node.right) and "loss" in ast.unparse(node.left).lower():
            self.found = True
            if not self.factor:
                return node.left
            node.right = ast.copy_location(ast.BinOp(node.right, ast.Mult(), ast.Constant(3)), node.right)
            ast.fix_missing_locations(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.op, ast.Div) and windowed(node.value) and "loss" in ast.unparse(node.target).lower():
            self.found = True
            if not self.factor:
                return statement("pass", node)
            node.value = ast.copy_location(ast.BinOp(node.value, ast.Mult(), ast.Constant(3)), node.value)
            ast.fix_missing_locations(node)
        return node


def _divisors(block: list[ast.stmt], factor: str) -> bool:
    worker = _Divisors(factor)
    for place, one in enumerate(block):
        if isinstance(one, (ast.Assign, ast.AugAssign, ast.Expr)):
            block[place] = worker.visit(one)
    return worker.found


def undivided(block: list[ast.stmt]) -> bool:
    """The loss is not divided."""
    return _divisors(block, "")


def misdivided(block: list[ast.stmt]) -> bool:
    """The loss is divided by three times the window."""
    return _divisors(block, "3")


def off_by_one(block: list[ast.stmt]) -> bool:
    """`i % n` where `(i + 1) % n` stood."""
    found = False
    for one in block:
        for node in ast.walk(one.test) if isinstance(one, ast.If) else ():
            left = node.left if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) else None
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and ast.unparse(left.right) == "1":
                assert isinstance(node, ast.BinOp)
                node.left = left.left
                found = True
    return found


def scheduler_each(block: list[ast.stmt]) -> bool:
    """The scheduler's step moves from the guarded block to behind the backward."""
    place = first(block, backs)
    if place is None:
        return False
    for inner in blocks([one for one in block if isinstance(one, ast.If)]):
        for number, one in enumerate(inner):
            call = call_of(one, "step")
            if call is not None and is_scheduler(call) and any(map(optimizer_of, inner)):
                block.insert(place + 1, one)
                inner[number] = statement("pass", one)
                return True
    return False


def no_sync_gone(block: list[ast.stmt]) -> bool:
    """Every backward is all-reduced."""
    for place, one in enumerate(block):
        if isinstance(one, ast.With) and any("no_sync" in ast.unparse(item.context_expr) for item in one.items):
            block[place : place + 1] = one.body
            return True
    return False


@dataclass(frozen=True)
class Mistake:
    """What is planted; `windows` says that it needs an accumulation to be one, `limits` a clip with a finite limit."""

    rule: str
    plant: Mutator
    everywhere: bool = False
    windows: bool = False
    limits: bool = False


MISTAKES = (
    Mistake("missing-zero-grad", no_zero, everywhere=True),
    Mistake("method-not-called", zero_uncalled, everywhere=True),
    Mistake("zero-grad-before-step", zero_before_step),
    Mistake("zero-grad-in-accumulation", zero_each, windows=True),
    Mistake("clip-after-step", clip_after_step, everywhere=True, limits=True),
    Mistake("clip-before-backward", clip_before_backward, everywhere=True, limits=True),
    Mistake("clip-scaled-gradients", no_unscale, everywhere=True, limits=True),
    Mistake("double-unscale", two_unscales),
    Mistake("missing-scaler-update", no_update, everywhere=True),
    Mistake("step-bypasses-scaler", bypass),
    Mistake("unscaled-backward", unscaled, everywhere=True),
    Mistake("unscaled-accumulation-loss", undivided, everywhere=True, windows=True),
    Mistake("accumulation-divisor-mismatch", misdivided, everywhere=True, windows=True),
    Mistake("accumulation-off-by-one", off_by_one, everywhere=True, windows=True),
    Mistake("scheduler-per-micro-batch", scheduler_each, windows=True),
    Mistake("missing-no-sync", no_sync_gone, everywhere=True, windows=True),
)


@dataclass
class Row:
    """One line of the table."""

    mutants: int = 0
    seen: int = 0
    own: int = 0
    missed: list[str] = field(default_factory=list)


def mutate(text: str, name: str, mistake: Mistake) -> str | None:
    """The text with a mistake planted in one of its loops; None where it does not fit."""
    sliced, _ = sliced_text(text, "loop.py")
    assert sliced is not None
    roots = [loops_of(sliced)[name]]
    planted = False
    for block in list(blocks(roots)):
        planted |= mistake.plant(block)
        if planted and not mistake.everywhere:
            break
    return ast.unparse(ast.fix_missing_locations(sliced.index.tree)) if planted else None


def accumulates(loop: Loop) -> bool:
    """Whether windows of several micro-batches were measured."""
    return any(figures.turns > 1 for figures in loop.figures)


def study(text: str, path: str, table: dict[str, Row]) -> int:
    """Plant every mistake in every confirmed loop of a text; returns how many loops took part."""
    clean = [loop for loop in verify_text(ast.unparse(ast.parse(text)), path, ONCE).loops if _clean(loop)]
    for loop in clean:
        for mistake in MISTAKES:
            if (mistake.windows and not accumulates(loop)) or (mistake.limits and not loop.limit):
                continue
            mutant = mutate(text, loop.name, mistake)
            if mutant is not None:
                _count(mutant, path, loop.name, mistake.rule, table.setdefault(mistake.rule, Row()))
    return len(clean)


def _clean(loop: Loop) -> bool:
    """Whether a loop takes part.

    Under some libraries the wet run confirms and never accuses, and where several optimizers are made out of sight
    it does not guess.
    """
    return loop.verdict.value == "confirmed" and not loop.wrapper.startswith(QUIET) and GUESS not in loop.notes


def _count(mutant: str, path: str, name: str, rule: str, row: Row) -> None:
    found = [loop for loop in verify_text(mutant, path, ONCE).loops if loop.name == name]
    row.mutants += 1
    seen = any(loop.verdict.value == "differs" for loop in found)
    row.seen += seen
    row.own += any(rule in loop.rules for loop in found)
    if not seen:
        said = "; ".join(f"{loop.verdict.value} {loop.reason} {loop.detail}".strip() for loop in found)
        row.missed.append(f"{path} {name}: {rule}: {said}")


def render(table: dict[str, Row]) -> str:
    """The table in Markdown."""
    lines = ["| planted mistake | mutants | seen | by its own rule |", "|---|---|---|---|"]
    order = [one.rule for one in MISTAKES if one.rule in table]
    for rule in order:
        row = table[rule]
        lines.append(f"| `{rule}` | {row.mutants} | {row.seen} | {row.own} |")
    total, seen, own = (sum(getattr(row, name) for row in table.values()) for name in ("mutants", "seen", "own"))
    share = 100 * seen / total if total else 0
    lines.append(f"| all | {total} | {seen} ({share:.1f} %) | {own} |")
    return "\n".join(lines) + "\n"


def files(paths: Sequence[str]) -> Iterator[Path]:
    """The Python files that are meant."""
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and every mutant that was not seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("paths", nargs="+", metavar="PATH", help="clean loops")
    options = parser.parse_args(arguments)
    table: dict[str, Row] = {}
    count = sum(study(path.read_text(encoding="utf-8"), str(path), table) for path in files(options.paths))
    sys.stdout.write(f"{count} clean loops\n\n{render(table)}\n")
    for row in table.values():
        sys.stdout.writelines(f"not seen: {one}\n" for one in row.missed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
