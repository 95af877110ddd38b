"""A clip whose norm is read at each micro-batch only measures there, and clips where the window is whole.

norm = clip_grad_norm_(params, 1.0)            norm = clip_grad_norm_(params, float("inf"))
norms.append(norm.item())                      norms.append(norm.item())
if (i + 1) % accum == 0:               ──►     if (i + 1) % accum == 0:
    opt.step()                                     clip_grad_norm_(params, 1.0)
                                                   opt.step()
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from gradlint.fix.code import chains_read, last_name, names_set, values_of
from gradlint.fix.hanging import things_read
from gradlint.fix.layout import Layout, Refused, suites
from gradlint.fix.moves import caught_alike, other_steps, shared
from gradlint.fix.pure import counting
from gradlint.fix.rates import functions_named
from gradlint.fix.steering import followers, imports, steers, words
from gradlint.fix.work import Work
from gradlint.model.edits import Measure
from gradlint.model.record import dataclass

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.With, ast.AsyncWith)
_ONCE = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_TORCH = frozenset({"torch.nn.utils", "torch.nn.utils.clip_grad"})
_CLIP = "clip_grad_norm_"


def measure(work: Work, edit: Measure) -> None:
    """Carry out a `Measure`."""
    layout = work.layout
    call = _call(layout, edit)
    clip = _Clip(layout, call, layout.statement(edit.what), _limit(layout, call, edit))
    if isinstance(clip.node, ast.Expr) and clip.node.value is call:
        raise Refused("nobody reads its norm")
    steps = [layout.statement(span) for span in edit.to]
    if steers(layout, clip.node, call, steps):
        raise Refused("what hangs on the norm may be meant for the update")
    for target in steps:
        anchor = shared(layout, target, [clip.node], set())
        for one in (anchor, *other_steps(layout, anchor, [clip.node])):
            clip.check(one)
            work.cuts.append(layout.before(one, clip.code(one)))
    work.cuts.append(layout.over(clip.limit, 'float("inf")'))


@dataclass(frozen=True, eq=False)
class _Clip:
    """A clip: its call, the statement that holds it, and the limit that it is given."""

    layout: Layout
    call: ast.Call
    node: ast.stmt
    limit: ast.expr

    def code(self, anchor: ast.stmt) -> str:
        """The clip as a statement ahead of another one, under the guards that it has of its own."""
        layout, rows, margin = self.layout, list[str](), self.layout.indent(anchor)
        for test in self._tests(anchor):
            rows.append(f"{margin}if {_in_a_row(layout, test)}:{layout.newline}")
            margin += layout.unit()
        return "".join([*rows, f"{margin}{_in_a_row(layout, self.call)}{layout.newline}"])

    def _own(self, anchor: ast.stmt) -> list[ast.AST]:
        """What is around it and not around the new place, the innermost first."""
        around = set(self.layout.owners(anchor))
        return [one for one in self.layout.owners(self.node) if one not in around]

    def _tests(self, anchor: ast.stmt) -> list[ast.expr]:
        """What is asked right around it, as by `if args.max_norm:`, the outermost first."""
        found: list[ast.expr] = []
        child: ast.AST = self.node
        for owner in self._own(anchor):
            if not isinstance(owner, ast.If) or child not in owner.body or owner.orelse:
                break
            found.insert(0, owner.test)
            child = owner
        return found

    def check(self, anchor: ast.stmt) -> None:
        """Nothing.

        Raises:
            Refused: the clip would be another one at the new place, or come on another way.
        """
        layout, node = self.layout, self.node
        if layout.function(anchor) is not layout.function(node) or layout.start(anchor) < layout.end(node):
            raise Refused("the step stands elsewhere")
        caught_alike(layout, [node], anchor)
        own, tests = self._own(anchor), self._tests(anchor)
        if any(isinstance(one, (ast.If, *_SCOPES)) and getattr(one, "test", None) not in tests for one in own):
            raise Refused("the clip has a way of its own")
        if not self._is_read_before(anchor):
            raise Refused("its norm is read with the step only")
        self._check_reads(anchor, tests, [one for one in own if isinstance(one, _LOOPS)])

    def _is_read_before(self, anchor: ast.stmt) -> bool:
        """Whether its norm is read elsewhere than under the guards of the step."""
        names = {one for one in names_set([self.node]) if one.isidentifier()}
        if not isinstance(self.node, ast.Assign) or self.node.value is not self.call or not names:
            return True
        around = set(self.layout.owners(self.node))
        guards = [one for one in self.layout.owners(anchor) if one not in around and isinstance(one, ast.If)]
        suite = {id(part) for one in guards[-1].body for part in ast.walk(one)} if guards else set[int]()
        parts = ast.walk(self.layout.function(self.node))
        loads = (one for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
        return any(one.id in names and id(one) not in suite for one in loads)

    def _check_reads(self, anchor: ast.stmt, tests: Sequence[ast.expr], loops: Sequence[ast.stmt]) -> None:
        layout = self.layout
        parts = [self.call, *tests]
        if any(isinstance(part, _ONCE) for one in parts for part in ast.walk(one)) or not self._is_plain(parts):
            raise Refused("what it is given may be had but once")
        changed = set[str]().union(*(names_set([one]) for one in loops), *map(_set_by, self._between(anchor)))
        read = set[str]().union(*map(chains_read, parts))
        kept = {one.rpartition(".")[2] for one in read if "." in one}
        if read & changed or any(_sets_later(layout, name) for name in kept):
            raise Refused("what it reads changes before the step")
        asked = set[str]().union(*map(things_read, (self.limit, *tests)))
        if asked & followers(layout, self.node, self.call):
            raise Refused("its limit follows the norms")

    def _is_plain(self, parts: Sequence[ast.expr]) -> bool:
        """Whether all that is asked can be asked again: numbers, and parameters that are no iterator with a name."""
        layout, numbers = self.layout, counting(self.layout)
        tests = [self.limit, *parts[1:]]
        calls = (part for one in tests for part in ast.walk(one) if isinstance(part, ast.Call))
        if any(ast.unparse(call.func) not in numbers for call in calls):
            return False
        names = [part for one in self._given() for part in ast.walk(one) if isinstance(part, ast.Name)]
        bare = (name for name in names if not isinstance(layout.parents.get(name), ast.Attribute))
        made = (value for name in bare for value in values_of(layout, name))
        return not any(map(_is_iterator, made))

    def _given(self) -> list[ast.expr]:
        """What the call is given besides the limit."""
        return [one for one in (*self.call.args, *words(self.call)) if one is not self.limit]

    def _between(self, anchor: ast.stmt) -> Iterator[ast.stmt]:
        """The statements of the function on the way, and those that hold the new place."""
        layout = self.layout
        start, end, function = layout.start(self.node), layout.start(anchor), layout.function(anchor)
        for one in layout.statements():
            if start <= layout.start(one) < end and layout.function(one) is function:
                yield one


def _in_a_row(layout: Layout, node: ast.expr) -> str:
    """An expression in one line.

    Raises:
        Refused: it has several, and comments or strings in them.
    """
    code = layout.code(node)
    if not re.search(r"[\r\n]", code):
        return code
    if re.search(r"[#'\"\\\\]", code):
        raise Refused("the clip has several lines")
    for pattern, ends in ((r"([(\[{])\s*[\r\n]\s*", r"\1"), (r",?\s*[\r\n]\s*([)\]}])", r"\1"), (r"\s*[\r\n]\s*", " ")):
        code = re.sub(pattern, ends, code)
    return code


def _set_by(node: ast.stmt) -> set[str]:
    """What a statement sets itself, those in it aside."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return names_set([node.target])
    if isinstance(node, _SCOPES):
        return names_set(node.items)
    return set() if suites(node) else names_set([node])


def _sets_later(layout: Layout, attribute: str) -> bool:
    """Whether an attribute of this name is set anywhere but where an object is made."""
    stores = (one for one in ast.walk(layout.tree) if isinstance(one, ast.Attribute) and one.attr == attribute)
    functions = [layout.function(one) for one in stores if not isinstance(one.ctx, ast.Load)]
    return any(getattr(function, "name", "__init__") != "__init__" for function in functions)


def _is_iterator(value: ast.expr) -> bool:
    """`net.parameters()`, `filter(...)`, `(p for p in ...)`: what can be gone through once."""
    made = isinstance(value, ast.Call) and last_name(value.func) not in ("list", "tuple", "sorted", "ParameterList")
    return made or isinstance(value, ast.GeneratorExp)


def _call(layout: Layout, edit: Measure) -> ast.Call:
    node = layout.expression(edit.what)
    if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
        raise Refused("the clip has another shape")
    if any(word.arg is None for word in node.keywords) or "float" in names_set([layout.tree]):
        raise Refused("the clip has another shape")
    return node


def _limit(layout: Layout, call: ast.Call, edit: Measure) -> ast.expr:
    """The limit that a call of torch's clip is given, or one of a helper that does nothing else.

    Raises:
        Refused: it is another function, or the limit is nowhere to be seen.
    """
    if edit.inner is None:
        if not _is_torch(layout, call.func):
            raise Refused("it is not torch's own clip")
        return _argument(call, 1, "max_norm")
    helpers = functions_named(layout, last_name(call.func)) if isinstance(call.func, ast.Name) else []
    inner = layout.expression(edit.inner)
    helper = helpers[0] if len(helpers) == 1 else None
    if helper is None or not isinstance(inner, ast.Call) or layout.function(inner) is not helper:
        raise Refused("it is clipped in a helper")
    body = [one for one in helper.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    only = len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is inner
    limit = _argument(inner, 1, "max_norm")
    names = [one.arg for one in (*helper.args.posonlyargs, *helper.args.args)]
    if not only or helper.decorator_list or not isinstance(limit, ast.Name) or not _is_torch(layout, inner.func):
        raise Refused("it is clipped in a helper")
    if limit.id not in names or [part.id for part in ast.walk(inner) if isinstance(part, ast.Name)].count(limit.id) > 1:
        raise Refused("the limit is not handed in")
    return _argument(call, names.index(limit.id), limit.id)


def _argument(call: ast.Call, place: int, name: str) -> ast.expr:
    """What a call gives for a parameter.

    Raises:
        Refused: nothing.
    """
    words = [word.value for word in call.keywords if word.arg == name]
    if len(call.args) > place or words:
        return call.args[place] if len(call.args) > place else words[0]
    raise Refused("the limit is not given")


def _is_torch(layout: Layout, func: ast.expr) -> bool:
    """Whether a function is `torch.nn.utils.clip_grad_norm_`, as far as the imports of the file say."""
    code = ast.unparse(func)
    root, _, rest = code.partition(".")
    whole = ".".join(one for one in (imports(layout).get(root, ""), rest) if one)
    module, _, name = whole.rpartition(".")
    own = root in names_set([layout.tree]) or functions_named(layout, code)
    return name == _CLIP and module in _TORCH and not own
