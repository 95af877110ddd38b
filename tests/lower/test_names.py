"""Roles by protocol, spelling and annotation; what imports make of a name."""

from __future__ import annotations

import ast

import pytest

from gradlint.lower.names import Names, dotted, imports_of, last_name
from gradlint.lower.outline import Outline
from gradlint.model.roles import Role


def names(text: str) -> Names:
    return Names.of(Outline(ast.parse(text), text))


def expr(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


# ------------------------------------------------------------------------------ spelling


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("optimizer", Role.OPTIMIZER),
        ("optimizer_G", Role.OPTIMIZER),
        ("disc_optim", Role.OPTIMIZER),
        ("scheduler", Role.SCHEDULER),
        ("lr_scheduler", Role.SCHEDULER),
        ("warmup", Role.SCHEDULER),
        ("grad_scaler", Role.SCALER),
        ("loss_scaler", Role.SCALER_CALLABLE),
        ("model", Role.MODEL),
        ("ddp_model", Role.MODEL),
        ("netG", Role.MODEL),
        ("D", Role.MODEL),
        ("generator", Role.MODEL),
        ("model_engine", Role.ENGINE),
        ("accelerator", Role.ACCELERATOR),
        ("fabric", Role.FABRIC),
        ("ema_model", Role.EMA),
        ("train_sampler", Role.SAMPLER),
        ("train_loader", Role.LOADER),
        ("dataloader", Role.LOADER),
        ("criterion", Role.CRITERION),
        ("loss_fn", Role.CRITERION),
    ],
)
def test_name_suggests_a_role(name: str, role: Role) -> None:
    assert names("").hint(name) is role


@pytest.mark.parametrize(
    "name",
    [
        *("self", "cls", "x", "batch", "loss", "output", "step", "i", "args", "config", "options"),
        *("adoption", "modeling", "optional", "learning_rate", "lr", "epochs", "device"),
        "opt",  # argparse's options, unless it steps
    ],
)
def test_name_suggests_nothing(name: str) -> None:
    assert names("").hint(name) is None


# ------------------------------------------------------------------------------ protocol


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("adam.zero_grad(); adam.step()", "adam", Role.OPTIMIZER),
        ("self.x.zero_grad()\nself.x.step()", "x", Role.OPTIMIZER),
        ("scaler.step(adam)", "adam", Role.OPTIMIZER),
        ("s.unscale_(adam)", "adam", Role.OPTIMIZER),
        ("s.unscale_(adam)", "s", Role.SCALER),
        ("amp.scale(loss); amp.step(o); amp.update()", "amp", Role.SCALER),
        ("opt.step()", "opt", Role.OPTIMIZER),
        ("opts[0].step()", "opts", Role.OPTIMIZER),
        ("e.zero_grad(); e.step(); e.backward(loss)", "e", Role.ENGINE),
        ("e.zero_grad(); e.step(); e.parameters()", "e", Role.ENGINE),
        ("e.train(); e.eval()", "e", Role.MODEL),
        ("e.inner.train(); e.inner.eval()", "inner", Role.MODEL),
        ("on, off = e.train, e.eval", "e", Role.MODEL),
    ],
)
def test_use_makes_a_role(text: str, name: str, role: Role) -> None:
    assert names(text).hint(name) is role


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("opt.lr", "opt"),
        ("scaler.fit_transform(x)", "scaler"),
        ("optimizer.optimize(objective)", "optimizer"),
        ("optimizer.suggest()", "optimizer"),
        ("env.step(action)", "env"),
        ("x.zero_grad()", "x"),
        ("config.train.lr * config.eval.batch_size", "config"),
        ("config.train['lr'] * config.eval['batch_size']", "config"),
        ("run.parameters.lr", "run"),
    ],
)
def test_other_use_makes_none(text: str, name: str) -> None:
    assert names(text).hint(name) is None


def test_use_beats_spelling() -> None:
    assert names("").hint("model") is Role.MODEL
    assert names("model.zero_grad(); model.step()").hint("model") is Role.OPTIMIZER


# ---------------------------------------------------------------------------- annotation


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("torch.optim.Optimizer", Role.OPTIMIZER),
        ("Optimizer | None", Role.OPTIMIZER),
        ("None | Optimizer", Role.OPTIMIZER),
        ("Optional[GradScaler]", Role.SCALER),
        ("Union[GradScaler, None]", Role.SCALER),
        ("'nn.Module'", Role.MODEL),
        ("DataLoader", Role.LOADER),
        ("LRScheduler", Role.SCHEDULER),
        ("Accelerator", Role.ACCELERATOR),
        ("MyOptimizer", Role.OPTIMIZER),
    ],
)
def test_annotation_makes_a_role(text: str, role: Role) -> None:
    assert names("").annotation(expr(text)) is role


@pytest.mark.parametrize("text", ["int", "list[Optimizer]", "'1 +'", "None", "Tensor", "f()"])
def test_annotation_makes_none(text: str) -> None:
    assert names("").annotation(expr(text)) is None


def test_no_annotation() -> None:
    assert names("").annotation(None) is None


# what imports make of a name


@pytest.mark.parametrize(
    ("text", "name", "qualified"),
    [
        ("import torch", "torch.optim.SGD", "torch.optim.SGD"),
        ("import torch.nn as nn", "nn.Linear", "torch.nn.Linear"),
        ("import torch.optim", "torch.optim.SGD", "torch.optim.SGD"),
        ("from torch import optim", "optim.SGD", "torch.optim.SGD"),
        ("from torch.optim import SGD as Plain", "Plain", "torch.optim.SGD"),
        ("from . import tools", "tools.clip", ".tools.clip"),
        ("from ..lib.tools import clip", "clip", "..lib.tools.clip"),
        ("def f():\n    from torch import optim", "optim.SGD", "torch.optim.SGD"),
        ("try:\n    from apex import amp\nexcept ImportError:\n    pass", "amp", "apex.amp"),
    ],
)
def test_qualified_name(text: str, name: str, qualified: str) -> None:
    assert names(text).qualified(expr(name)) == qualified


@pytest.mark.parametrize("text", ["torch.optim.SGD", "f().x", "x[0].y", "1"])
def test_no_qualified_name_without_an_import(text: str) -> None:
    assert names("").qualified(expr(text)) is None


def test_every_import_of_a_file_is_known() -> None:
    text = "import a.b, c as d\nfrom e import f, g as h\n"
    assert imports_of(Outline(ast.parse(text), text).nodes) == {"a": "a", "d": "c", "f": "e.f", "h": "e.g"}


def test_definitions_are_known() -> None:
    text = "def f():\n    def g(): pass\nclass C:\n    async def m(self): pass\n"
    assert names(text).defined == {"f", "g", "C", "m"}


@pytest.mark.parametrize(
    ("text", "chain", "last"),
    [
        ("a.b.c", "a.b.c", "c"),
        ("a", "a", "a"),
        ("a[0].b", None, "b"),
        ("a.b[0]", None, "b"),
        ("a[0][1]", None, "a"),
        ("f().b", None, "b"),
        ("f()", None, None),
    ],
)
def test_chains(text: str, chain: str | None, last: str | None) -> None:
    assert dotted(expr(text)) == chain
    assert last_name(expr(text)) == last
