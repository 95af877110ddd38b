"""Which names are certainly bound where a repair puts them; each answer is held against Python itself."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

import pytest

from gradlint.check.safety import changed_rows
from gradlint.fix.bound import unbound, unbound_since

PLACES = {
    "before": ("x = f()\nuse(x.a)", []),
    "after": ("use(x.a)\nx = f()", ["x"]),
    "one branch": ("if c:\n    x = f()\nuse(x.a)", ["x"]),
    "both branches": ("if c:\n    x = f()\nelse:\n    x = g()\nuse(x.a)", []),
    "the other branch leaves": ("if c:\n    x = f()\nelse:\n    raise E\nuse(x.a)", []),
    "asked again": ("if c:\n    x = f()\nif c:\n    use(x.a)", []),
    "asked otherwise": ("if c:\n    x = f()\nif d:\n    use(x.a)", ["x"]),
    "read before": ("if c:\n    x = f()\ng(x)\nuse(x.a)", []),
    "read behind": ("if c:\n    x = f()\nuse(x.a)\nx.b()", []),
    "read behind a way out": ("if c:\n    x = f()\nwhile d:\n    use(x.a)\n    if e:\n        break\n    x.b()", ["x"]),
    "asked in an expression": ("if c:\n    x = f()\nuse(x if c else 0)", []),
    "asked otherwise in an expression": ("if c:\n    x = f()\nuse(x if d else 0)", ["x"]),
    "asked in an expression, and read beside it": ("if c:\n    x = f()\nuse([x, x if c else 0])", ["x"]),
    "a loop's body": ("for x in xs:\n    use(x.a)", []),
    "behind a loop": ("for x in xs:\n    pass\nuse(x.a)", ["x"]),
    "named in a test": ("if (x := f()) is not c:\n    use(x.a)", []),
    "named in a test, behind it": ("if (x := f()) is not c:\n    pass\nuse(x.a)", []),
    "named in a test that may end before": ("if c and (x := f()):\n    use(x.a)", []),
    "named and asked in a test that may end before": ("if c and (x := f()) is not d:\n    use(x.a)", []),
    "named in a test that says no": ("if not (x := f()):\n    pass\nelse:\n    use(x.a)", []),
    "named in one of two tests": ("if c or (x := f()):\n    use(x.a)", ["x"]),
    "named in one of two tests that are not so": ("if c or not (x := f()):\n    pass\nelse:\n    use(x.a)", []),
    "named in a test that may end before, behind it": ("if c and (x := f()):\n    pass\nuse(x.a)", ["x"]),
    "named in a choice": ("if (x := f()) if c else d:\n    use(x.a)", ["x"]),
    "named ahead of its test": ("for i in xs:\n    use(x.a)\n    if (x := f()) is not c:\n        g()", ["x"]),
    "named by a loop's test": ("while (x := f()) is not d:\n    use(x.a)\n    break", []),
    "a with": ("with f() as x:\n    use(x.a)", []),
    "a try": ("try:\n    x = f()\nexcept E:\n    pass\nuse(x.a)", ["x"]),
    "a try that leaves": ("try:\n    x = f()\nexcept E:\n    raise\nuse(x.a)", []),
    "a handler's own": ("try:\n    f()\nexcept E as x:\n    use(x.a)", []),
    "asked behind a way on": (
        "for i in xs:\n    if not c:\n        continue\n    if c:\n        x = f()\n    use(x.a)",
        [],
    ),
    "asked again, set between": (
        "for i in xs:\n    if not c:\n        continue\n    c = e\n    if c:\n        x = f()\n    use(x.a)",
        ["x"],
    ),
    "none": ("x = None\nuse(x.a)", ["x"]),
    "none, handed on": ("x = None\nuse(x)", []),
    "none on one way": ("x = f() if c else None\nuse(x.a)", ["x"]),
    "none, asked": ("x = f() if c else None\nif x is not None:\n    use(x.a)", []),
    "none, asked with more": ("x = f() if c else None\nif d and x:\n    use(x.a)", []),
    "none, left": ("x = f() if c else None\nif x is None:\n    raise E\nuse(x.a)", []),
    "deleted": ("x = f()\ndel x\nuse(x.a)", ["x"]),
    "imported": ("import x\nuse(x.a)", []),
    "a comprehension's own": ("use([x for x in xs])", []),
}
"""Bodies of a function whose line with `use` is asked about, and the names that may not be bound there."""


def _asked(body: str) -> list[str]:
    text = "def run(c, d, e, xs, f, g, use, E):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    row = next(number for number, line in enumerate(text.split("\n"), 1) if "use(" in line and "def" not in line)
    return [name for name, _ in unbound(ast.parse(text), [row])]


def test_what_is_new_itself_shows_nothing() -> None:
    tree = ast.parse("def run(c, f, use):\n    if c:\n        x = f()\n    use(x)\n    x.b()\n")
    assert unbound(tree, [4]) == []
    assert [name for name, _ in unbound(tree, [4, 5])] == ["x"]


@pytest.mark.parametrize("name", PLACES)
def test_a_name_is_bound_on_every_way(name: str) -> None:
    body, missing = PLACES[name]
    assert _asked(body) == missing


class Held:
    """Something with attributes and methods, and no others."""

    a = 1

    def b(self) -> None: ...

    def __enter__(self) -> Held:  # noqa: PYI034  # one class, told by its name
        return self

    def __exit__(self, *_: object) -> None: ...


def _reached(body: str) -> Iterator[bool]:
    """For each way through a body: whether the name was there whenever `use` was reached."""
    text = "def run(c, d, e, xs, f, g, use, E):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    scope: dict[str, object] = {}
    exec(text, scope)
    run = scope["run"]
    assert callable(run)
    for c, d, e, full in itertools.product((True, False), repeat=4):
        try:
            run(c, d, e, [Held()] if full else [], Held, lambda *x: Held(), lambda value: None, ValueError)
        except (UnboundLocalError, AttributeError):
            yield False
        except (ValueError, RuntimeError):
            yield True
        else:
            yield True


@pytest.mark.parametrize("name", [name for name in PLACES if "while" not in PLACES[name][0] and "import" not in name])
def test_what_is_called_bound_is_there_when_python_runs_it(name: str) -> None:
    body, missing = PLACES[name]
    original_raises = name in ("read before", "read behind")  # as written, these raise at their own line
    if not missing and not original_raises:
        assert all(_reached(body))
    if missing and name != "a try":  # nothing raises in it here
        assert not all(_reached(body))


def test_parameters_that_are_none_by_default() -> None:
    tree = ast.parse("def f(a, b=None, *, c=None, d=1):\n    use(a.x, b.x, c.x, d.x)\n")
    assert [name for name, _ in unbound(tree, [2]) if name != "use"] == ["b", "c"]


def test_names_of_the_module_and_of_python() -> None:
    tree = ast.parse("import torch\nN = 3\ndef f(x):\n    print(torch.sum(x), N, len(x), nobody)\n")
    assert [name for name, _ in unbound(tree, [4])] == ["nobody"]


def test_a_star_may_bring_any_name() -> None:
    assert unbound(ast.parse("from torch import *\ndef f(x):\n    print(sum(x), anything)\n"), [3]) == []


GUARDED = {
    "read each time": ("use(n)", ["n"]),
    "read twice": ("use(n)\nuse(n.a)", ["n"]),
    "where the same is asked": ("if s:\n    use(n)", []),
    "where more is asked": ("if c and s:\n    use(n)", []),
    "where less is asked": ("if c or s:\n    use(n)", ["n"]),
    "where something else is asked": ("if c:\n    use(n)", ["n"]),
    "behind a way on": ("if not s:\n    continue\nuse(n)", []),
    "in a choice": ("use(n if s else 0)", []),
    "in the wrong choice": ("use(0 if s else n)", ["n"]),
    "in a function": ("def show():\n    use(n)\nshow()", ["n"]),
    "in a function that has its own": ("def show(n):\n    use(n)\nshow(1)", []),
    "set again": ("n = 0\nuse(n)", []),
    "not read": ("use(x)", []),
}
"""What follows in the turn of a loop in which `n` is set, and what of it may not be bound once that is guarded."""


def _since(old: str, new: str) -> list[str]:
    head = "def run(c, s, xs, f, use):\n"
    before, after = (head + "".join(f"    {line}\n" for line in body.split("\n")) for body in (old, new))
    rows = changed_rows(before, after)
    return list(dict.fromkeys(name for name, _ in unbound_since(ast.parse(before), ast.parse(after), rows)))


def _turn(body: str) -> str:
    return "\n".join(["for x in xs:", *(f"    {line}" for line in body.split("\n"))])


@pytest.mark.parametrize("name", GUARDED)
def test_what_a_guard_around_a_binding_leaves_unbound(name: str) -> None:
    rest, missing = GUARDED[name]
    assert _since(_turn(f"n = f()\n{rest}"), _turn(f"if s:\n    n = f()\n{rest}")) == missing


def test_what_a_later_turn_reads_of_the_one_before() -> None:
    before, after = "if x:\n    use(n)\nn = f()", "if x:\n    use(n)\nif s:\n    n = f()"
    assert _since(_turn(before), _turn(after)) == ["n"]
    assert _since(f"n = 0\n{_turn(before)}", f"n = 0\n{_turn(after)}") == []


def test_what_a_way_on_has_not_bound() -> None:
    before = "if x:\n    use(n)\nn = f()\nif c:\n    continue\nuse(1)"
    after = "if x:\n    use(n)\nif c:\n    continue\nn = f()\nuse(1)"
    assert _since(_turn(before), _turn(after)) == ["n"]


def test_behind_a_loop_nothing_is_sure_before_or_after() -> None:
    assert _since(_turn("n = f()") + "\nuse(n)", _turn("if s:\n    n = f()") + "\nuse(n)") == []
