"""Networks whose own `forward` keeps gradients out: what they give has none, and nothing trains them.

class Features(nn.Module):
    def forward(self, x):
        with torch.no_grad():              or @torch.no_grad() above it
            found = self.backbone(x)
        return found
"""

from __future__ import annotations

from gradlint.interpret.limits import name_of, nodes, parts_of_function
from gradlint.interpret.lineage import method_of
from gradlint.interpret.returned import returned
from gradlint.interpret.values import Tracked
from gradlint.libraries.tensors import GRADIENT_HOOKS
from gradlint.model.program import (
    Arith,
    Assign,
    Attr,
    Call,
    Closure,
    Const,
    Display,
    Do,
    Expr,
    Function,
    Program,
    Read,
    Return,
    Stmt,
    With,
)
from gradlint.model.program.whole import assignments
from gradlint.model.roles import Role


def keeps_gradients_out(program: Program, module: Tracked) -> bool:
    """Whether the class of a network shows that all its `forward` returns is computed without gradients."""
    if module.cls is None:
        return False
    if module.cls not in program.cutting:
        made = method_of(program, module.cls, "forward")
        called = method_of(program, module.cls, "__call__")
        program.cutting[module.cls] = made is not None and called is None and _cuts(made[0])
    return program.cutting[module.cls]


def bends_gradients(program: Program, module: Tracked) -> bool:
    """Whether the `forward` of a network scales what goes back through it: `h.register_hook(lambda grad: grad / n)`."""
    made = None if module.cls is None else method_of(program, module.cls, "forward")
    if made is None or made[0].inside.calls.isdisjoint(GRADIENT_HOOKS):
        return False
    hooks = [one for one in parts_of_function(made[0]) if isinstance(one, Call) and name_of(one.func) in GRADIENT_HOOKS]
    given = (parts_of_function(one.function) for call in hooks for one in call.args if isinstance(one, Closure))
    return any(isinstance(part, Arith) for parts in given for part in parts)


def scaled_by(program: Program, module: Tracked) -> Tracked | None:
    """The scaler that a network holds, and by which all that its `forward` returns is scaled.

    return self.scaler.scale(loss)
    """
    made = None if module.cls is None else method_of(program, module.cls, "forward")
    if made is None or "scale" not in made[0].inside.calls:
        return None
    given = {name_of(one.target): one.value for one in assignments(made[0].body) if isinstance(one, Assign)}
    names = {_scaling(given.get(name_of(value), value)) for value in returned(made[0].body)}
    held = module.attrs.get(names.pop()) if len(names) == 1 else None
    return held if isinstance(held, Tracked) and held.role is Role.SCALER and held.enabled is not False else None


def _scaling(value: Expr) -> str:
    """The member of `self` by which a value is scaled: `scaler` in `self.scaler.scale(loss)`; empty for none."""
    if isinstance(value, Display):  # `return self.scaler.scale(loss), out`
        return next((name for one in value.items if (name := _scaling(one))), "")
    func = value.func if isinstance(value, Call) else None
    if not isinstance(func, Attr) or func.name != "scale" or not isinstance(func.base, Attr):
        return ""
    return func.base.name if name_of(func.base.base) == "self" else ""


def _cuts(forward: Function) -> bool:
    parts = parts_of_function(forward)
    if any(name_of(part.func) in _SWITCHES for part in parts if isinstance(part, Call)):
        return False
    if any(isinstance(part, Assign) and name_of(part.target) == "requires_grad" for part in parts):
        return False
    if any(name.rpartition(".")[2] in _QUIET for name in forward.decorators):
        return True
    return _returns_what_is_cut(forward.body)


def _returns_what_is_cut(body: tuple[Stmt, ...]) -> bool:
    """Whether each `return` stands in a `with torch.no_grad():`, or gives only what was computed in one."""
    cut: set[str] = set()
    returned = False
    for statement in body:
        if isinstance(statement, With) and any(map(_is_quiet, (item for item, _ in statement.items))):
            cut |= _set_in(statement)
            returned |= _returns(statement)
        elif isinstance(statement, Return):
            return statement.value is not None and _is_cut(statement.value, cut)
        elif _returns(statement):
            return False
        elif isinstance(statement, Assign) and _is_cut(statement.value, cut):
            cut |= _set_in(statement)
        elif not (isinstance(statement, Do) and isinstance(statement.value, Const)):
            cut -= _set_in(statement)
    return returned


def _is_quiet(item: Expr) -> bool:
    """Whether a context turns gradients off, whatever happens."""
    return isinstance(item, Call) and name_of(item.func) in _QUIET and not item.args and not item.keywords


def _set_in(statement: Stmt) -> set[str]:
    """The names that something may set."""
    targets = [part.target for part in nodes(statement) if hasattr(part, "target")]
    return {part.name for target in targets for part in nodes(target) if isinstance(part, Read)}


def _returns(statement: Stmt) -> bool:
    return any(isinstance(part, Return) for part in nodes(statement))


def _is_cut(value: Expr, cut: set[str]) -> bool:
    """Whether something is made only of what has no gradients, with functions of torch's."""
    read = {part.name for part in nodes(value) if isinstance(part, Read)}
    torch = {part.base.name for part in nodes(value) if isinstance(part, Attr) and isinstance(part.base, Read)} & _TORCH
    return bool(read & cut) and read - torch <= cut


_QUIET = frozenset({"no_grad", "inference_mode"})
_SWITCHES = frozenset({"enable_grad", "set_grad_enabled", "requires_grad_"})
_TORCH = frozenset({"torch", "F"})
