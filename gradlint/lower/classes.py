"""Classes: which are records, and what instances of one are by its bases."""

from __future__ import annotations

import ast

from gradlint.lower.names import Names, dotted
from gradlint.lower.outline import FunctionNode, own
from gradlint.model.pattern import pattern
from gradlint.model.roles import Role


def is_plain(annotation: ast.expr | None, default: ast.expr | None) -> bool:
    """Whether a parameter is a text, a number or a flag, whatever it is called: `model: str`, `optimizer="adam"`."""
    told = isinstance(annotation, ast.Name) and annotation.id in ("str", "int", "float", "bool")
    return told or (isinstance(default, ast.Constant) and isinstance(default.value, (str, int, float)))


def decorator(node: ast.expr) -> str | None:
    """`torch.no_grad` for `@torch.no_grad()`."""
    return dotted(node.func if isinstance(node, ast.Call) else node)


def autocasts(node: ast.AST) -> list[ast.Call]:
    """The decorators of that name that are called."""
    calls = [item for item in getattr(node, "decorator_list", ()) if isinstance(item, ast.Call)]
    return [item for item in calls if (decorator(item) or "").rsplit(".", 1)[-1] == "autocast"]


_KNOWN = frozenset("property staticmethod classmethod contextmanager overload cache lru_cache cached_property".split())


def registers(names: Names, node: ast.expr) -> bool:
    """Whether a decorator may put what it is given where others find it: one that no library has."""
    name = decorator(node)
    if name is None or name.rpartition(".")[2] in _KNOWN:
        return False
    root = name.partition(".")[0]
    imported = names.brought(root)
    return root in names.defined or "." in name or (imported is not None and names.beyond.defines(imported))


def is_record(node: ast.ClassDef) -> bool:
    """Whether the fields of a class make its constructor."""
    made = [*(decorator(item) for item in node.decorator_list), *(dotted(base) for base in node.bases)]
    return any((name or "").rsplit(".", 1)[-1] in ("dataclass", "define", "frozen", "NamedTuple") for name in made)


def declared(node: ast.ClassDef) -> tuple[str, ...]:
    """The fields of a record, in order."""
    fields = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
    return tuple(field.id for field in fields if isinstance(field, ast.Name))


_LAYERS = pattern(r"(?:^|\.)nn\.[A-Z]\w*(?<!Loss)(?<!Parameter)$|^diffusers\.(?:\w+\.)*ModelMixin$")
"""Networks that are made of one of torch's, or of the module of diffusers: `class Encoder(nn.Sequential)`."""


_SCHEDULE = pattern(r"(?:LRScheduler|^torch\.optim\.lr_scheduler\.[A-Z]\w*)$")
"""Schedules that are made of one of torch's: `class Warmup(CosineAnnealingLR)`."""


_OPTIMIZER = pattern(r"^torch\.optim\.(?:\w+\.)?[A-Z]\w*(?<!LR)(?<!Model)$")
"""Optimizers that are made of one of torch's: `class Clearing(torch.optim.SGD)`."""


def class_role(bases: tuple[str, ...]) -> Role | None:
    """What instances of a class are, by its bases."""
    for base in bases:
        last = base.split(".")[-1]
        if last == "LightningModule":
            return Role.LIGHTNING
        if base.endswith("nn.Module") or last == "Module" or _LAYERS.search(base):
            return Role.MODEL
        if _SCHEDULE.search(base):
            return Role.SCHEDULER
        if (last.endswith("Optimizer") and last != "LightningOptimizer") or _OPTIMIZER.search(base):
            return Role.OPTIMIZER
        if last.endswith("DistributedSampler"):
            return Role.SAMPLER
        if last == "DataLoader":
            return Role.LOADER
    return None


def bases_of(names: Names, node: ast.ClassDef, within: FunctionNode | None) -> tuple[str, ...]:
    """The qualified names of a class's bases; `within` is the function in which it stands."""
    found = (names.qualified(base) or _chosen(names, base, within) or dotted(base) for base in node.bases)
    return tuple(filter(None, found))


def _chosen(names: Names, base: ast.expr, within: FunctionNode | None) -> str | None:
    """A base in a variable of the function around: whichever of torch's optimizers it is, it keeps the same books.

    kind = optim.SGD if args.sgd else optim.Adam        or in the branches of an `if`
    class Scheduled(kind): ...
    """
    if not isinstance(base, ast.Name) or not isinstance(within, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    values = [value for part in own(within.body) for value in _given(part, base.id)]
    kinds = {None if value is None else names.qualified(value) or "" for value in values}
    if not kinds or not all(kind and _OPTIMIZER.search(kind) for kind in kinds):
        return None
    return _ANY_OPTIMIZER if len(kinds) > 1 else next(iter(kinds))


_ANY_OPTIMIZER = "torch.optim.Optimizer"


def _given(node: ast.AST, name: str) -> list[ast.expr | None]:
    """What a statement binds a name to, each of two in a choice; `None` where it is nothing that can be told."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        places = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(place, ast.Name) and place.id == name for place in places):
            return _choices(node.value)
    heads = [node.target] if isinstance(node, (ast.For, ast.AsyncFor)) else getattr(node, "targets", [])
    names = (part for head in heads for part in ast.walk(head) if isinstance(part, ast.Name))
    return [None] if any(part.id == name for part in names) else []


def _choices(value: ast.expr | None) -> list[ast.expr | None]:
    if isinstance(value, ast.IfExp):
        return [*_choices(value.body), *_choices(value.orelse)]
    return [value]
