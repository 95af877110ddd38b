"""Whole files: functions, classes, references that nobody calls, and the shapes of statements."""

from __future__ import annotations

import pytest

from gradlint.lower import lower
from gradlint.model.effects import Action, Gate
from gradlint.model.program import (
    Arith,
    Assign,
    Augment,
    Bind,
    Call,
    Choose,
    Class,
    Closure,
    Comprehension,
    Const,
    Define,
    Dictionary,
    Display,
    Do,
    Expr,
    Function,
    If,
    Logic,
    Not,
    Opaque,
    Program,
    Raise,
    Read,
    Return,
    Star,
    Stmt,
    Try,
    With,
)
from gradlint.model.program import Test as Comparison
from gradlint.model.roles import Role
from gradlint.syntax.source import SourceError


def program(text: str) -> Program:
    return lower(text, "x.py")


def body(text: str) -> tuple[Stmt, ...]:
    return program(text).body.body


def value(text: str) -> Expr:
    (statement,) = body(f"x = {text}")
    assert isinstance(statement, Assign)
    return statement.value


# ------------------------------------------------------------------------------ the file


def test_empty_file() -> None:
    found = program("")
    assert found.body.body == ()
    assert not found.functions
    assert not found.classes


def test_broken_file() -> None:
    with pytest.raises(SourceError, match="line 1"):
        program("def f(:\n")


def test_functions_and_classes_by_name() -> None:
    found = program("def f(): pass\nasync def g(): pass\nclass C:\n    def m(self): pass\n")
    assert set(found.functions) == {"f", "g"}
    assert set(found.classes) == {"C"}
    assert found.classes["C"].methods["m"].qualname == "C.m"
    assert found.classes["C"].methods["m"].owner == "C"


def test_later_definition_wins() -> None:
    found = program("def f(): pass\ndef f(a): pass\n")
    assert [parameter.name for parameter in found.functions["f"].parameters] == ["a"]


@pytest.mark.parametrize(
    ("base", "role"),
    [
        ("torch.nn.Module", Role.MODEL),
        ("nn.Module", Role.MODEL),
        ("Module", Role.MODEL),
        ("pl.LightningModule", Role.LIGHTNING),
        ("torch.optim.Optimizer", Role.OPTIMIZER),
        ("LRScheduler", Role.SCHEDULER),
        ("object", None),
    ],
)
def test_role_of_a_class(base: str, role: Role | None) -> None:
    assert program(f"class C({base}): pass").classes["C"].role is role


def test_parameters() -> None:
    text = "def f(a, /, model, b=1, *rest, optimizer: 'Optimizer', c=2, **more): pass"
    found = program(text).functions["f"].parameters
    assert [(item.name, item.star) for item in found] == [
        ("a", ""),
        ("model", ""),
        ("b", ""),
        ("rest", "*"),
        ("optimizer", ""),
        ("c", ""),
        ("more", "**"),
    ]
    assert found[1].role is Role.MODEL
    assert found[2].default == Const(1)
    assert found[4].role is Role.OPTIMIZER


def test_local_names() -> None:
    text = "def f():\n    global g\n    a = 1\n    g = 2\n    for b in c: pass\n    def d(): e = 1\n"
    assert program(text).functions["f"].local == {"a", "b", "d"}


def test_decorators_and_generators() -> None:
    found = program("@contextlib.contextmanager\ndef f():\n    yield 1\n").functions["f"]
    assert found.decorators == ("contextlib.contextmanager",)
    assert found.generator


def test_generator_of_a_nested_function_is_not_ones_own() -> None:
    assert not program("def f():\n    def g():\n        yield 1\n").functions["f"].generator


# -------------------------------------------------------------- references nobody calls


@pytest.mark.parametrize(
    ("text", "receiver", "method"),
    [
        ("optimizer.zero_grad", "optimizer", "zero_grad"),
        ("optimizer.step", "optimizer", "step"),
        ("self.optimizer.step", "self.optimizer", "step"),
        ("scheduler.step", "scheduler", "step"),
        ("grad_scaler.update", "grad_scaler", "update"),
        ("model.train", "model", "train"),
        ("model.eval", "model", "eval"),
    ],
)
def test_reference_that_nobody_calls(text: str, receiver: str, method: str) -> None:
    ((span, name, attribute),) = program(f"def f():\n    {text}\n").main.mentions.uncalled
    assert (span.row, span.column) == (2, 5)
    assert (name, attribute) == (receiver, method)


@pytest.mark.parametrize(
    "text",
    [
        *("optimizer.step()", "x = optimizer.step", "print(optimizer.step)", "model.forward"),
        *("env.step", "optimizer.param_groups", "optimizer", "f().step"),
    ],
)
def test_reference_that_is_used(text: str) -> None:
    assert program(text).main.mentions.uncalled == ()


# ---------------------------------------------------------------------------- statements


def test_chain_of_targets() -> None:
    first, second = body("a = b = f()")
    assert isinstance(first, Assign)
    assert isinstance(second, Assign)
    assert isinstance(first.value, Call)
    assert second.value == Read("a")  # f is called once


def test_annotated_assignment() -> None:
    (found,) = body("a: int = 1")
    assert isinstance(found, Assign)
    assert body("a: int") == ()


def test_augmented_assignment() -> None:
    (found,) = body("a //= 2")
    assert isinstance(found, Augment)
    assert found.op == "//"


@pytest.mark.parametrize("text", ["'a text'", "f'{x}'", "1", "pass", "import os", "global x"])
def test_statements_that_do_nothing(text: str) -> None:
    assert body(text) == ()


@pytest.mark.parametrize("text", ["sys.exit(1)", "exit()", "os._exit(0)", "quit()", "raise X"])
def test_end_of_the_process(text: str) -> None:
    (found,) = body(text)
    assert isinstance(found, Raise)


def test_if_keeps_its_text() -> None:
    (found,) = body("if a  and\\\n   b:\n    pass\n")
    assert isinstance(found, If)
    assert " ".join(found.text.replace("\\", "").split()) == "a and b"
    assert found.span.row == 1


def test_elif_is_an_if_in_else() -> None:
    (found,) = body("if a: f()\nelif b: g()\nelse: h()\n")
    assert isinstance(found, If)
    (inner,) = found.other
    assert isinstance(inner, If)
    assert isinstance(inner.other[0], Do)


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("a and opt.step()", (1, 0)),
        ("a or opt.step()", (0, 1)),
        ("opt.step() if a else None", (1, 1)),
        ("a and b and opt.step()", (1, 0)),
    ],
)
def test_expression_that_stands_for_a_guard(text: str, branches: tuple[int, int]) -> None:
    (guard,) = body(text)
    assert isinstance(guard, If)
    assert (guard.text, len(guard.then), len(guard.other)) == ("a", *branches)
    assert Gate.STEP in guard.gates


@pytest.mark.parametrize("text", ["a and b()", "a or print(b)", "a() if b else c()"])
def test_expression_that_touches_no_gradient_stands_for_itself(text: str) -> None:
    (statement,) = body(text)
    assert isinstance(statement, Do)


def test_match_is_a_chain_of_ifs() -> None:
    (found,) = body("match x:\n    case 1: f()\n    case 'a' if y: g()\n    case _: h()\n")
    assert isinstance(found, If)
    assert found.test == Comparison("==", Read("x"), Const(1))
    (second,) = found.other
    assert isinstance(second, If)
    assert isinstance(second.test, Logic)
    assert isinstance(second.other[0], Do)


def test_match_of_a_pattern_is_a_test_of_its_own() -> None:
    (found,) = body("match x:\n    case [a, b]: f()\n    case None: g()\n")
    assert isinstance(found, If)
    assert isinstance(found.test, Comparison)
    assert found.test.op == "match"


def test_with_of_several_contexts() -> None:
    (found,) = body("with a, b as c:\n    f()\n")
    assert isinstance(found, With)
    assert [target for _, target in found.items] == [None, Read("c")]


def test_try_keeps_the_normal_path() -> None:
    (found,) = body("try: f()\nexcept E: g()\nelse: h()\nfinally: i()\n")
    assert isinstance(found, Try)
    assert [len(part) for part in (found.body, found.other, found.final)] == [1, 1, 1]


def test_nested_definitions() -> None:
    found = program("def f():\n    class C: pass\n    def g(): return 1\n").functions["f"]
    first, second = found.body
    assert isinstance(first, Define)
    assert isinstance(second, Define)
    assert isinstance(first.value, Class)
    assert isinstance(second.value, Function)
    assert isinstance(second.value.body[0], Return)


# --------------------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", Const),
        ("-1", Const),
        ("'a'", Const),
        ("None", Const),
        ("a", Read),
        ("a + b", Arith),
        ("-a", Arith),
        ("not a", Not),
        ("a and b", Logic),
        ("a < b", Comparison),
        ("a < b < c", Logic),
        ("a if b else c", Choose),
        ("(a, b)", Display),
        ("[a, *b]", Display),
        ("{'a': 1, **b}", Dictionary),
        ("[a for a in b if c]", Comprehension),
        ("(a for a in b)", Comprehension),
        ("lambda a: a", Closure),
        ("(a := 1)", Bind),
        ("f(*a)", Call),
        ("f'{a}'", Opaque),
        ("b'a'", Opaque),
        ("{a: b for a in c}", Comprehension),
        ("a[1:2]", object),
        ("...", Opaque),
        ("1j", Opaque),
    ],
)
def test_kind_of_an_expression(text: str, kind: type) -> None:
    assert isinstance(value(text), kind)


def test_negative_number_is_a_constant() -> None:
    assert value("-2.5") == Const(-2.5)


def test_chained_comparison_shares_its_middle() -> None:
    found = value("a < b <= c")
    assert found == Logic("and", (Comparison("<", Read("a"), Read("b")), Comparison("<=", Read("b"), Read("c"))))


def test_await_is_transparent() -> None:
    (statement,) = program("async def f():\n    x = await g()\n").functions["f"].body
    assert isinstance(statement, Assign)
    assert isinstance(statement.value, Call)


def test_spread_arguments() -> None:
    found = value("f(a, *b, c=1, **d)")
    assert isinstance(found, Call)
    assert isinstance(found.args[1], Star)
    assert [name for name, _ in found.keywords] == ["c", None]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("import torch\ntorch.optim.AdamW(p)", Action.MAKE),
        ("from torch.optim import AdamW as A\nA(p)", Action.MAKE),
        ("import torch.nn.utils as u\nu.clip_grad_norm_(p, 1)", Action.CLIP),
        ("from torch.nn.utils import clip_grad_norm_ as clip\nclip(p, 1)", Action.CLIP),
        ("nn.utils.clip_grad_norm_(p, 1)", Action.CLIP),
        ("range(3)", Action.RANGE),
        ("len(x)", Action.LENGTH),
        ("from torch.nn.parallel import DistributedDataParallel as DDP\nDDP(m)", Action.WRAP),
        ("import accelerate\naccelerate.Accelerator()", Action.MAKE),
        ("Adam(p)", Action.MAKE),
    ],
)
def test_effect_of_a_call(text: str, action: Action) -> None:
    statement = body(text)[-1]
    assert isinstance(statement, Do)
    assert isinstance(statement.value, Call)
    assert statement.value.effect is not None
    assert statement.value.effect.action is action


@pytest.mark.parametrize(
    "text",
    [
        "def Adam(p): pass\nAdam(p)",
        "def range(n): pass\nrange(3)",
        "def clip_grad_norm_(p, n): pass\nclip_grad_norm_(p, 1)",
        "f(x)",
        "model.clip_grad_norm_(1.0)",
    ],
)
def test_call_without_an_effect(text: str) -> None:
    statement = body(text)[-1]
    assert isinstance(statement, Do)
    assert isinstance(statement.value, Call)
    assert statement.value.effect is None
