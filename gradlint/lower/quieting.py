"""Where a file speaks of gradients being switched off, or wanted, in a way that the machine does not follow.

with eval_mode(net):                    may switch gradients off as well
x.requires_grad_()                      the gradient of what is given is wanted: the evaluation needs its graph
for p in net.parameters():
    p.requires_grad = False             the network is held still while it is evaluated

`with torch.no_grad():` is followed by the machine, and `torch.no_grad()` by itself switches nothing.
`Variable(x, requires_grad=False)` says what is so without it, `p.requires_grad` that somebody asks, and a gradient of a
parameter needs a backward: these say nothing here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from gradlint.libraries.conventions.roles import OPTIMIZER_NAME
from gradlint.libraries.tables import OPTIMIZERS
from gradlint.lower.names import dotted
from gradlint.lower.outline import FunctionNode, Outline
from gradlint.model.pattern import pattern
from gradlint.syntax.nodes import walk

_WORDS = pattern(rb"(?i)grad|infer|eval|test|froz|freez|disable|no_?backprop|derivative|forces|jac|hess|[vj]p\b")
"""What stands on every row that may speak."""

_CONTEXT = pattern(r"(?i)(?:eval|infer|test|frozen|freeze|disable|no_?backprop)")
"""`with eval_mode(model):` may switch gradients off as well."""

_SWITCHES = pattern(r"(?i)no_?grad|inference_mode(?!l)|(?:^|_)(?:set|enable|disable)_grad")
"""What switches gradients on and off, by the name of a function."""

_HOLDS = pattern(r"(?i)requires?_?grad(?!_$)")
"""What may hold parameters still, by the name of a function: `set_requires_grad(net, False)`."""

_SAYS = pattern(r"\b(?:no_?grad|inference_mode|(?:set|enable)_grad(?:_enabled)?)\b")
"""A comment that names a switch explains why there is none: `# torch.no_grad() would break the compiled graph`."""

_LEFT_OUT = pattern(r"\s*(?:with|@)\s*torch\s*\.\s*(?:no_grad|inference_mode)\s*\(\s*\)\s*:?\s*")
"""What stood there once, and switches nothing off as a comment."""

_ANSWERS = pattern(r"auto_?grad|derivatives?|(?:regress|compute|predict)_forces?")
"""A network that answers with a gradient, by the keywords of force fields (SchNet, TorchMD-Net, OCP, MACE)."""

_DERIVES = frozenset({"grad", "grad_and_value", "jacobian", "hessian", "vjp", "jvp", "vhp", "hvp", "jacrev", "jacfwd"})
"""What takes derivatives, of `torch.autograd`, its `functional` and `torch.func`."""

_PARAMETER = pattern(r"(?:p|\w*param|\w*param(?:s|eters?|_\w+))")
"""What is called a parameter: its gradient takes a backward, which goes back from somewhere else than an evaluation."""

_TENSORS = pattern(
    r"Variable|Parameter|[tT]ensor|zeros|ones|empty|full|rand|randn|randint|arange|linspace|logspace|eye|randperm"
    r"|(?:zeros|ones|empty|full|rand|randn|randint)_like|new_(?:tensor|zeros|ones|empty|full)"
)
"""What makes a tensor and takes `requires_grad`, however torch is called in a file.

Source: https://docs.pytorch.org/docs/stable/torch.html#creation-ops and the `new_` methods of `torch.Tensor`
"""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class _Rows:
    """The rows that speak.

    Attributes:
        wants: The gradient of something that is no parameter is asked for.
        holds: Parameters are held still.
        switches: All others.
    """

    def __init__(self) -> None:
        self.wants: set[int] = set()
        self.holds: set[int] = set()
        self.switches: set[int] = set()


def quieting(text: str, functions: Sequence[FunctionNode], outline: Outline) -> frozenset[int]:
    """The rows of which nobody knows whether gradients are on there, and meant to be.

    What holds a network still or switches gradients off speaks for its whole function, or outside of them for all
    rows there; what asks for a gradient, for the loops around it in which nothing is trained.
    """
    rows = _said(text, outline)
    held = rows.holds - _held_for_good(outline, rows.holds)
    around = [node for node in outline.nodes if isinstance(node, (*_FUNCTIONS, *_LOOPS))]
    trained = [row for row, line in enumerate(text.splitlines(), 1) if "backward(" in line]
    whole = [_extent(node) for node in functions if not isinstance(node, ast.Lambda)]
    last = text.count("\n") + 1
    found = set().union(*(_of_function(row, whole, last) for row in rows.switches | held))
    for row in rows.wants - rows.switches:
        loop = _loop_around(row, around, trained)
        found |= _of_function(row, whole, last) if loop is None else set(_extent(loop))
    return frozenset(found)


def _of_function(row: int, whole: Sequence[range], last: int) -> set[int]:
    """The rows of the functions around a row; for one outside of them all rows outside."""
    found = {each for extent in whole if row in extent for each in extent}
    return found or set(range(1, last + 1)).difference(*whole)


def _loop_around(row: int, around: Sequence[ast.AST], trained: Sequence[int]) -> ast.AST | None:
    """The innermost loop around a row, or the outermost around that in which nothing is trained."""
    inner = [node for node in around if row in _extent(node)]
    inner.sort(key=lambda node: len(_extent(node)))
    found: ast.AST | None = None
    for node in inner:
        if isinstance(node, _FUNCTIONS) or (found is not None and any(at in _extent(node) for at in trained)):
            break
        found = node
    return found


def _extent(node: ast.AST) -> range:
    decorators: Iterable[ast.expr] = getattr(node, "decorator_list", ())
    first = min([getattr(node, "lineno", 1), *(one.lineno for one in decorators)])
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _said(text: str, outline: Outline) -> _Rows:
    rows = _Rows()
    nodes = list(outline.holding(_WORDS))
    heads = [*nodes, *(node for node in outline.nodes if isinstance(node, _FUNCTIONS))]
    known = {id(part) for node in heads for part in _followed(node)}
    for node in nodes:
        if isinstance(node, ast.withitem):
            if _may_switch(node):
                rows.switches.add(node.context_expr.lineno)
        elif isinstance(node, ast.Call):
            _of_call(node, rows)
        elif isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in known:
            _of_name(node, rows)
    rows.holds |= {node.lineno for node in nodes if isinstance(node, ast.Assign) and _holds(node)}
    rows.wants |= {node.lineno for node in nodes if isinstance(node, ast.Assign) and _wants(node)}
    rows.wants -= set(_stepped(outline)) if rows.wants else set()
    for row, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[2]
        if said and _SAYS.search(said) and not _LEFT_OUT.fullmatch(said):
            rows.switches.add(row)
    return rows


def _followed(node: ast.AST) -> Iterator[ast.AST]:
    """The names of a switch that the machine follows: `with torch.no_grad():`, `@torch.no_grad()`.

    As a statement of its own it switches nothing, nor does `torch.enable_grad()`: nobody enters such a context.
    """
    heads: list[ast.expr] = []
    names: tuple[str, ...] = _FOLLOWED
    if isinstance(node, ast.withitem):
        heads = [node.context_expr]
    elif isinstance(node, ast.Expr):
        heads, names = [node.value], (*_FOLLOWED, "torch.enable_grad")
    elif isinstance(node, _FUNCTIONS):
        heads = node.decorator_list
    for head in heads:
        if isinstance(head, ast.Call) and dotted(head.func) in names:
            yield head.func


_FOLLOWED = ("torch.no_grad", "torch.inference_mode")
"""Switches that the machine follows where they are entered."""


def _may_switch(item: ast.withitem) -> bool:
    head = item.context_expr
    name = dotted(head.func) if isinstance(head, ast.Call) else None
    return name is not None and _CONTEXT.search(name) is not None and name != "torch.inference_mode"


def _of_name(node: ast.Name | ast.Attribute, rows: _Rows) -> None:
    """`torch.set_grad_enabled`, `x.grad`, `grad(out, x)`; not the gradient of a parameter."""
    name, owner = (node.id, None) if isinstance(node, ast.Name) else (node.attr, node.value)
    derives = name == "func" and owner is not None and dotted(owner) in ("torch", "torch.autograd")
    if derives or (name in _DERIVES and (name != "grad" or owner is None or not _is_parameter(owner))):
        rows.wants.add(node.lineno)
    elif _SWITCHES.search(name):
        rows.switches.add(node.lineno)


def _of_call(node: ast.Call, rows: _Rows) -> None:
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr == "requires_grad_":
        if _is_false(*node.args, *(one.value for one in node.keywords)):
            if not _is_frozen_copy(func.value):
                rows.holds.add(node.lineno)
        elif not _is_parameter(func.value):
            rows.wants.add(node.lineno)
    if isinstance(func, ast.Name) and func.id in ("getattr", "hasattr", "setattr"):
        said = [one.value for one in node.args[1:2] if isinstance(one, ast.Constant)]
        if any(isinstance(one, str) and "grad" in one for one in said):
            (rows.switches if func.id == "setattr" else rows.wants).add(node.lineno)
    if _HOLDS.search(_tail(func)):
        rows.switches.add(node.lineno)
    for word in node.keywords:
        _of_wish(node, word, rows)


def _of_wish(node: ast.Call, word: ast.keyword, rows: _Rows) -> None:
    """`torch.zeros(3, requires_grad=True)`, `freeze(net, requires_grad=False)`, `Model(compute_forces=True)`."""
    if word.arg == "requires_grad" and not _makes_tensor(node.func):
        rows.switches.add(node.lineno)
    elif word.arg == "requires_grad" and not _is_false(word.value) and _tail(node.func) != "Parameter":
        rows.wants.add(node.lineno)
    elif word.arg is not None and _ANSWERS.fullmatch(word.arg) and _is_true(word.value):
        rows.switches.add(node.lineno)


def _makes_tensor(func: ast.expr) -> bool:
    """Whether a call makes a tensor, by torch's names: what anything else does with `requires_grad=` nobody knows."""
    name = dotted(func) or ""
    return name.partition(".")[0] == "torch" or _TENSORS.fullmatch(name.rpartition(".")[2]) is not None


def _holds(node: ast.Assign) -> bool:
    """`p.requires_grad = False`, or what nobody knows; of a part by its name it holds the part, or nothing at all."""
    return any(_is_flag(target) for target in node.targets) and not _is_true(node.value) and not _of_part(node)


def _wants(node: ast.Assign) -> bool:
    return _is_true(node.value) and any(
        isinstance(target, ast.Attribute) and _is_flag(target) and not _is_parameter(target.value)
        for target in node.targets
    )


def _stepped(outline: Outline) -> Iterator[int]:
    """The rows where a tensor is made that an optimizer is given by its name: it is a parameter, whatever it is called.

    log_t = torch.zeros((), requires_grad=True)
    optimizer = torch.optim.SGD([log_t])
    """
    made = [(node, node.value) for node in outline.nodes if isinstance(node, ast.Assign)]
    calls = [(node, call) for node, call in made if isinstance(call, ast.Call)]
    given = [one for _, call in calls if _tail(call.func) in OPTIMIZERS for one in (*call.args[:1], *call.keywords)]
    names = {part.id for one in given for part in walk(one) if isinstance(part, ast.Name)}
    for node, call in calls:
        targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if _makes_tensor(call.func) and targets and names.issuperset(targets):
            yield node.lineno


def _is_flag(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == "requires_grad"


def _of_part(node: ast.Assign) -> bool:
    return _is_false(node.value) and all(
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Attribute) and dotted(target.value)
        for target in node.targets
    )


def _is_parameter(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        node = node.value
    return _PARAMETER.fullmatch(_tail(node)) is not None


def _is_frozen_copy(node: ast.expr) -> bool:
    """A copy that is frozen where it is made: what is evaluated is another network."""
    return isinstance(node, ast.Call) and _tail(node.func) == "deepcopy"


def _is_false(*values: ast.expr) -> bool:
    return len(values) == 1 and isinstance(values[0], ast.Constant) and values[0].value is False


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _held_for_good(outline: Outline, rows: Iterable[int]) -> frozenset[int]:
    """Those rows behind which an optimizer is made: by the same function, or the module, and in no loop around both.

    What a loop holds still may be held still for the evaluation in it, until the next optimizer is made.
    """
    rows = list(rows)
    made = sorted(_makes_optimizers(outline)) if rows else []
    around = [node for node in outline.nodes if isinstance(node, (*_FUNCTIONS, *_LOOPS))] if made else []
    return frozenset(row for row in rows if any(row < other and _once(around, row, other) for other in made))


def _makes_optimizers(outline: Outline) -> Iterator[int]:
    """The rows where an optimizer is made, by its class or by a function whose answer is called one."""
    for node in outline.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            targets = [part for target in node.targets for part in getattr(target, "elts", (target,))]
            if _tail(node.value.func) in OPTIMIZERS or any(OPTIMIZER_NAME.search(_tail(target)) for target in targets):
                yield node.lineno


def _tail(node: ast.expr) -> str:
    return (dotted(node) or "").rpartition(".")[2]


def _once(around: Sequence[ast.AST], row: int, other: int) -> bool:
    """Whether two rows stand in the same function, and in no loop of it that is around both."""
    one, both = ({number for number, node in enumerate(around) if at in _extent(node)} for at in (row, other))
    functions = {number for number, node in enumerate(around) if isinstance(node, _FUNCTIONS)}
    return one & functions == both & functions and not (one & both) - functions
