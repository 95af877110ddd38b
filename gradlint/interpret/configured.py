"""The optimizers that a Lightning module configures: how many, and whose parameters each of them has.

def configure_optimizers(self):
    opt_g = Adam(self.maker.parameters())
    opt_d = Adam(chain(self.critic.parameters(), self.judge.parameters()))
    return [opt_g, opt_d], []              2: {"self.maker"}, {"self.critic", "self.judge"}
"""

from __future__ import annotations

from collections.abc import Sequence

from gradlint.interpret.limits import nodes, parts_of_function
from gradlint.interpret.lineage import method_of
from gradlint.interpret.values import Tracked
from gradlint.model.program import Assign, Attr, Call, Display, Expr, Program, Read, Return, Star

_JOINS = frozenset({"chain", "itertools", "list"})
"""What puts the parameters of several networks together."""


def configured(program: Program, module: Tracked) -> list[frozenset[str] | None]:
    """For each optimizer, the roots of its networks, or `None` where its method does not plainly show them.

    None at all where a module does not return several that can be counted; one comes by itself.
    """
    found = None if module.cls is None else method_of(program, module.cls, "configure_optimizers")
    if found is None:
        return []
    parts = parts_of_function(found[0])
    rows = [_listed(one.value) for one in parts if isinstance(one, Return)]
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        return []
    held = [[_roots(parts, one, module.root) for one in row] for row in rows]
    return [one[0] if len(set(one)) == 1 else None for one in zip(*held, strict=True)]


def _listed(value: Expr | None) -> tuple[Expr, ...]:
    """`return first, second`, or in a list, perhaps with schedules in a list behind it."""
    if not isinstance(value, Display) or any(isinstance(one, Star) for one in value.items):
        return ()
    if value.items and isinstance(value.items[0], Display):
        return _listed(value.items[0])
    return value.items if len(value.items) > 1 else ()


def _roots(parts: Sequence[object], value: Expr, root: str) -> frozenset[str] | None:
    """The networks whose parameters an optimizer is made with, in sight or under a name that is set once."""
    if isinstance(value, Read):
        made = [one.value for one in parts if isinstance(one, Assign) and _is_named(one.target, value.name)]
        return _roots(parts, made[0], root) if len(made) == 1 and not isinstance(made[0], Read) else None
    if not isinstance(value, Call):
        return None
    given = (*value.args[:1], *(each for name, each in value.keywords if name == "params"))[:1]
    handed = [one for one in nodes(given) if isinstance(one, Call) and _is_handing(one)]
    if not handed or any(one.name not in {"self", *_JOINS} for one in nodes(given) if isinstance(one, Read)):
        return None
    found = [_path(one.func.base, root) for one in handed if isinstance(one.func, Attr)]
    return None if None in found else frozenset(one for one in found if one is not None)


def _is_named(target: object, name: str) -> bool:
    return isinstance(target, Read) and target.name == name


def _is_handing(call: Call) -> bool:
    return isinstance(call.func, Attr) and call.func.name == "parameters"


def _path(base: Expr, root: str) -> str | None:
    """`self.nets.critic` of a module, by its root."""
    if isinstance(base, Attr):
        before = _path(base.base, root)
        return None if before is None else f"{before}.{base.name}"
    return root if isinstance(base, Read) and base.name == "self" else None
