"""What a statement of the epoch loop needs to know: the loop's variable, and who holds the sampler."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias, TypeGuard

from gradlint.fix.code import counted_loop, last_name, loader_of
from gradlint.fix.layout import Cut, Layout, Refused
from gradlint.fix.passes import Numbered, counted, counter, numbered
from gradlint.fix.samplers import none_or_sampler
from gradlint.model.finding import Span
from gradlint.model.record import dataclass

_For: TypeAlias = "ast.For | ast.AsyncFor"

_TRAINS = re.compile(r"backward\(|\.step\(|zero_grad")


@dataclass(frozen=True, slots=True)
class Filled:
    """The code of a statement; `cuts` make the `names` in it that are not there yet."""

    code: str
    cuts: tuple[Cut, ...] = ()
    names: tuple[str, ...] = ()


def filled(layout: Layout, code: str, anchor: ast.stmt, over: Sequence[Span] = ()) -> Filled:
    """The code of a new statement before `anchor`, with the names that only the source knows.

    Args:
        layout: the file.
        code: with `{target}`, `{number}` or `{count}` for a number, and `{loader}`.
        anchor: what it stands before.
        over: the loops that are counted.

    Raises:
        Refused: the source does not know them either.
    """
    found = Numbered("")
    for word, number in _NUMBERS.items():
        if word in code:
            found = number(layout, over) if over else counter(layout, layout.owner(anchor))
            code = code.replace(word, found.code) + found.rows
    if "{loader}" in code:
        loader = _sampled(layout, anchor)
        code = code.replace("{loader}.sampler", _sampler(layout, loader, anchor)).replace("{loader}", loader)
    holder, call, _ = code.partition(".set_epoch(")
    if call and _made_in_main(layout, holder, anchor):
        raise Refused(f"`{holder}` is only made where the file is run as a script")
    guard = _sometimes_made(layout, holder, anchor) if call else ""
    rows = code.replace("\n", "\n{unit}")
    return Filled(f"if {guard}:\n{{unit}}{rows}" if guard else code, found.cuts, found.names)


_NUMBERS = {"{target}": numbered, "{number}": numbered, "{count}": counted}
"""How a pass is numbered: by the loop around, by all loops, or by a name of its own."""


def _made_in_main(layout: Layout, name: str, anchor: ast.stmt) -> bool:
    """Whether a function would reach for a name that only `if __name__ == "__main__":` sets."""
    made = [
        node for node in layout.statements() if isinstance(node, ast.Assign) and layout.code(node.targets[0]) == name
    ]
    mains = [
        owner for node in made for owner in layout.owners(node) if isinstance(owner, ast.If) and not _chooses(owner)
    ]
    return bool(mains) and not set(mains) & set(layout.owners(anchor))


def _sampled(layout: Layout, anchor: ast.stmt) -> str:
    """The loader whose sampler an epoch loop leaves untold: the one it iterates, else the one that was made.

    Of several loops in it, that over a loader which was made here with such a sampler, else the first.
    """
    loop = layout.owner(anchor)
    made = _made_with_samplers(layout)
    if any(map(_is_one_of_several, made)):
        raise Refused("the sampler belongs to one of several loaders")
    loops = [part for part in ast.walk(loop) if isinstance(part, (ast.For, ast.AsyncFor)) and part is not loop]
    iterated = [layout.code(counted_loop(layout, one)[1]) for one in loops]
    handed_on = [layout.code(part.value) for part in ast.walk(loop) if isinstance(part, ast.YieldFrom)]
    if known := [name for name in (*iterated, *handed_on) if name in made]:
        return known[0]
    return _iterated_there(layout, loop, loops, handed_on, made)


def _iterated_there(layout: Layout, loop: ast.AST, loops: Sequence[_For], handed_on: list[str], made: set[str]) -> str:
    """What is iterated in an epoch loop and not seen to have the sampler: where it trains before anywhere else."""
    trains = [one for one in loops if _TRAINS.search(layout.code(one))]
    if found := _by_name(layout, trains):
        return found
    for part in ast.walk(loop):
        if found := _iterated_in(layout, part) if isinstance(part, ast.Call) else "":
            return found
    if found := _by_name(layout, loops):
        return found
    if len(handed_on) == 1 and handed_on[0].replace(".", "").isidentifier():
        return handed_on[0]
    if len(made) != 1:
        raise Refused("the loader of the sampler cannot be found")
    return made.pop()


def _by_name(layout: Layout, loops: Sequence[_For]) -> str:
    """What the first of some loops goes through that has a name; empty for none."""
    for one in loops:
        with suppress(Refused):
            if not _goes_round(layout, one):
                return layout.code(loader_of(layout, one)[1])
    return ""


def _goes_round(layout: Layout, loop: ast.For | ast.AsyncFor) -> bool:
    """`for name in names:` around a loop over a loader that is not made of what it goes through."""
    inner = [part for part in ast.walk(loop) if isinstance(part, (ast.For, ast.AsyncFor)) and part is not loop]
    inside = {part.id for part in ast.walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    over = [counted_loop(layout, one)[1] for one in inner if _TRAINS.search(layout.code(one))]
    return any(isinstance(one, ast.Name) and one.id not in inside for one in over)


def _is_one_of_several(name: str) -> bool:
    """`loaders[task]`, which is another one for each task; `loaders["train"]` is that one."""
    node = ast.parse(name, mode="eval").body
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant)


def _made_with_samplers(layout: Layout) -> set[str]:
    """What is made in this file with a `DistributedSampler`, which has no name or that of the assigned one."""
    assigned = [node for node in layout.statements() if isinstance(node, ast.Assign)]
    samplers = {layout.code(node.targets[0]) for node in assigned if _is_sampler(node.value)}
    return {
        layout.code(node.targets[0])
        for node in assigned
        if not _is_sampler(node.value)
        and any(_is_sampler(part) or _hands_over(part, samplers) for part in ast.walk(node.value))
    }


def _hands_over(node: ast.AST, samplers: set[str]) -> bool:
    """`DataLoader(data, sampler=sampler)`."""
    return isinstance(node, ast.keyword) and node.arg == "sampler" and ast.unparse(node.value) in samplers


def _iterated_in(layout: Layout, call: ast.Call) -> str:
    """The loader that a function of this file trains on, as its caller calls it."""
    named = [
        node for node in layout.statements() if isinstance(node, ast.FunctionDef) and node.name == last_name(call.func)
    ]
    if len(named) != 1 or _TRAINS.search(layout.code(named[0])) is None:
        return ""
    method = isinstance(call.func, ast.Attribute)
    for loop in (node for node in ast.walk(named[0]) if isinstance(node, ast.For)):
        try:
            loader = layout.code(loader_of(layout, loop)[1])
        except Refused:
            continue
        if loader.startswith("self.") and isinstance(call.func, ast.Attribute):
            holder = call.func.value
            return f"{layout.code(holder)}{loader[4:]}" if isinstance(holder, (ast.Name, ast.Attribute)) else ""
        parameters = [one.arg for one in named[0].args.args][int(method) :]
        given = dict(zip(parameters, call.args, strict=False))
        given |= {word.arg: word.value for word in call.keywords if word.arg is not None}
        if loader in given and isinstance(given[loader], (ast.Name, ast.Attribute)):
            return layout.code(given[loader])
    return ""


def _sampler(layout: Layout, loader: str, anchor: ast.stmt) -> str:
    """The sampler of a loader: by its own name where that is at hand."""
    for node in layout.statements():
        if not isinstance(node, ast.Assign) or layout.code(node.targets[0]) != loader:
            continue
        for word in node.value.keywords if isinstance(node.value, ast.Call) else ():
            near = layout.function(node) is layout.function(anchor)
            if word.arg == "sampler" and isinstance(word.value, ast.Name if near else ast.Attribute):
                return layout.code(word.value)
    return f"{loader}.sampler"


def _sometimes_made(layout: Layout, name: str, anchor: ast.stmt) -> str:
    """The condition under which a name stands for a `DistributedSampler`; empty where it always does."""
    made = [
        node for node in layout.statements() if isinstance(node, ast.Assign) and name == layout.code(node.targets[0])
    ]
    if none_or_sampler(layout.tree, name, anchor.lineno):
        return f"{name} is not None"
    values = [node.value for node in made]
    arms = [arm for value in values if isinstance(value, ast.IfExp) for arm in (value.body, value.orelse)]
    around = set(layout.owners(anchor))
    if any(isinstance(value, ast.Constant) and value.value is None for value in (*values, *arms)):
        return f"{name} is not None"
    for node in made:
        if not any(_is_sampler(part) for part in ast.walk(node.value)):
            continue
        choices: list[ast.IfExp | ast.If] = [node.value] if isinstance(node.value, ast.IfExp) else []
        choices += [owner for owner in layout.owners(node) if _chooses(owner) and owner not in around]
        for choice in choices:
            inside = choice.body if isinstance(choice.body, list) else [choice.body]
            test = layout.code(choice.test)
            sampled = any(node is part or _is_sampler(part) for one in inside for part in ast.walk(one))
            return test if sampled else f"not ({test})"
    return ""


def _chooses(owner: ast.AST) -> TypeGuard[ast.If]:
    """Whether a condition may be false where the loop runs; `if __name__ == "__main__":` says nothing of that."""
    return isinstance(owner, ast.If) and "__name__" not in ast.unparse(owner.test)


def _is_sampler(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "DistributedSampler"
