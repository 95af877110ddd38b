"""What may compute: a statement that does is left under the autocast that it stands in.

optimizer.step()                   nothing that autocast would change
losses.append(loss.item())         a number is taken
meter.update(loss.item(), len(x))  whoever it is, it is given numbers only
model.enqueue(model.keys(x))       a network may run there
loss_fn(out, y).backward()         what goes back takes the loss with it
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from gradlint.fix.code import last_name

_STEPS = frozenset("step zero_grad unscale_ clip_grad_norm_ clip_grad_value_".split())
_NUMBERS = frozenset("item tolist len float int round str range size numel time get_scale get_last_lr".split())
_HOLDS = frozenset("append extend isfinite isnan parameters detach cpu clone print isinstance enumerate zip".split())
_WAITS = frozenset("synchronize empty_cache".split())
_PLAIN = _STEPS | _NUMBERS | _HOLDS | _WAITS
_BUILT = (ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.BinOp, ast.keyword)


_BACK = frozenset("backward scale scale_loss mean sum to hasattr".split())


def computes(node: ast.stmt) -> bool:
    """Whether a statement may compute something in another type without the autocast around it."""
    return any(_product(part) or (isinstance(part, ast.Call) and not _plain(part)) for part in ast.walk(node))


def computes_as_well(node: ast.AST, known: Collection[ast.AST]) -> bool:
    """Whether what goes back may compute as well, in the same expression or near it; `known` calls lead to it."""
    return any(
        _product(part)
        or (isinstance(part, ast.Call) and part not in known and last_name(part.func) not in _BACK and not _plain(part))
        for part in ast.walk(node)
    )


def _product(part: ast.AST) -> bool:
    return isinstance(part, (ast.BinOp, ast.AugAssign)) and isinstance(part.op, ast.MatMult)


def _plain(call: ast.Call) -> bool:
    """A call that takes, keeps or spends what is there, an update of a scaler, or one that is given numbers only."""
    name, given = last_name(call.func), [*call.args, *call.keywords]
    return name in _PLAIN or (all(map(_number, given)) and (bool(given) or name == "update"))


def _number(part: ast.AST) -> bool:
    if isinstance(part, ast.Call):
        return last_name(part.func) in _NUMBERS
    if isinstance(part, ast.Subscript):
        return _number(part.value)
    inside = [one for one in ast.iter_child_nodes(part) if isinstance(one, (ast.expr, ast.keyword))]
    return isinstance(part, ast.Constant) or (isinstance(part, _BUILT) and all(map(_number, inside)))
