"""What counts as a loop, which loops are judged, why others are not, and that the lines proposed do cure them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from check.sight.loops import LOOPS, Loop
from gradlint.check.engine import check_text
from gradlint.model.custom import Custom
from gradlint.model.finding import Cure, Report, Unjudged
from gradlint.model.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def check(text: str, path: str = "train.py", **roles: str) -> Report:
    return check_text(text, path, Settings(custom=Custom(roles=tuple(sorted(roles.items())))))


WINDOW = next(loop for loop in LOOPS if loop.kind == "unknown-window")

# Why, and what would cure it


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_a_loop_that_was_not_judged_has_a_reason_and_a_cure(loop: Loop) -> None:
    report = check(loop.text)
    (one,) = report.unjudged
    assert (one.kind, one.reason, one.partly) == (loop.kind, loop.reason, loop.partly)
    assert one.cure is not None
    assert (one.cure.line, one.cure.row) == (loop.cure, loop.row)
    assert report.regions == 1


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_what_is_proposed_cures_it(loop: Loop) -> None:
    text, roles = loop.text, dict[str, str]()
    for _ in range(3):
        report = check(text, **roles)
        for one in report.unjudged:
            assert one.cure is not None, one.reason
            text, roles = applied(text, roles, one.cure)
    assert check(text, **roles).unjudged == ()
    assert check(text, **roles).regions == 1


def applied(text: str, roles: dict[str, str], cure: Cure) -> tuple[str, dict[str, str]]:
    """The text and the roles with one more line, as a user would add it."""
    if cure.row is None:
        return text, roles | tomllib.loads(cure.line)["roles"]
    lines = text.split("\n")
    lines[cure.row - 1] += f"  {cure.line}"
    return "\n".join(lines), roles


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_nothing_is_found_only_because_it_was_cured(loop: Loop) -> None:
    """The loops are right: a line that lets them be judged makes none of them wrong."""
    text, roles = loop.text, dict[str, str]()
    for _ in range(3):
        for one in check(text, **roles).unjudged:
            assert one.cure is not None
            text, roles = applied(text, roles, one.cure)
    found = {finding.rule for finding in check(text, **roles).findings}
    assert found <= {"unscaled-accumulation-loss"} if loop.kind in ("unknown-window", "never-reached") else not found


def test_a_mistake_comes_to_light_when_a_loop_is_cured() -> None:
    text = LOOPS[0].text.replace("        optimizer.zero_grad()\n", "").replace("step()", "step(); note(zero)")
    assert check(text).findings == ()
    assert [finding.rule for finding in check(text, optimizer="optimizer").findings] == ["missing-zero-grad"]


# What a loop is


JUDGED = """
def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
"""


def test_a_loop_of_which_all_is_judged() -> None:
    report = check(JUDGED)
    assert (report.regions, report.unjudged) == (1, ())


def test_a_loop_whose_gradients_are_wiped_is_judged() -> None:
    text = JUDGED.replace("        optimizer.zero_grad()\n", "").replace(
        "optimizer.step()", "optimizer.zero_grad()\n        optimizer.step()"
    )
    report = check(text)
    assert ([one.rule for one in report.findings], report.unjudged) == (["zero-grad-before-step"], ())


def test_loops_are_counted_where_they_begin() -> None:
    called = JUDGED + "\ndef main():\n    for epoch in range(9):\n        train(model, loader, optimizer)\n"
    assert check(called).regions == 1
    assert check(JUDGED + JUDGED.replace("train", "tune")).regions == 2


@pytest.mark.parametrize(
    "text",
    [
        "x = torch.ones(3, requires_grad=True)\nmodel(x).mean().backward()\nprint('done')\n",
        "def test_gradients():\n    model(x).mean().backward()\n    assert True\n",
        "class TestModel:\n    def runs(self):\n        model(x).mean().backward()\n",
        "def attack(model, x):\n    model(x).mean().backward()\n    return x + x.grad.sign()\n",
        "class Mine:\n    def zero_grad(self): backward()\n\n    def step(self): self.optimizer.step()\n",
        "class Cut(Function):\n    def backward(ctx, grad):\n        return inner.backward(grad)\n",
        "class Mine(Optimizer):\n    def step(self):\n        self.optimizer.step()\n\nNOTE = backward()\n",
        JUDGED.replace("optimizer.step()", "pass  # gradlint: assume not-a-loop"),
    ],
    ids=["an example", "a test", "a test class", "an attack", "by its methods", "autograd", "an optimizer", "told"],
)
def test_gradients_for_something_else_are_no_loop(text: str) -> None:
    report = check(text)
    assert (report.regions, report.unjudged) == (0, ())


def test_a_test_file_is_no_place_for_a_loop_without_a_step() -> None:
    text = "for x in cases:\n    model(x).mean().backward()\n"
    assert check(text, "tests/test_model.py").regions == 0
    assert check(text, "train.py").regions == 1


def test_a_test_that_trains_is_a_loop() -> None:
    assert check(JUDGED.replace("def train", "def test_train")).regions == 1


def only(text: str) -> Unjudged:
    (one,) = check(text).unjudged
    return one


BODY = "for x in loader:\n    model(x).mean().backward()\n    optimizer.step()\n"


@pytest.mark.parametrize("brought", ["jax", "tensorflow", "paddle.nn", "mindspore", "warp"])
@pytest.mark.parametrize(("text", "function"), [(JUDGED, "train"), (BODY, "<module>")])
def test_a_loop_of_another_library_is_told_to_be_that(brought: str, text: str, function: str) -> None:
    one = only(f"import {brought}\n{text}")
    assert (one.kind, one.function, one.partly, one.cure) == ("other-library", function, False, None)
    name = brought.partition(".")[0]
    assert one.reason == f"the file of `model(x).mean().backward()` trains with `{name}`, and not with torch"


@pytest.mark.parametrize(
    "text",
    [
        "import jax\nimport torch\n" + JUDGED,
        "import jax\nfrom pytorch_lightning import Trainer\n" + JUDGED,
        "import numpy\n" + JUDGED,
    ],
)
def test_a_loop_of_torch_is_none_of_another_library(text: str) -> None:
    report = check(text)
    assert (report.regions, report.unjudged) == (1, ())


@pytest.mark.parametrize(
    "text",
    [
        "def test_gradients():\n    for x in cases:\n        model(x).mean().backward()\n",
        "class Tensor:\n    def backward(self):\n        for child in self.children:\n            child.backward()\n",
        JUDGED.replace("optimizer.step()", "pass  # gradlint: assume not-a-loop"),
        "def rate(loss):\n    loss.backward()\n",
    ],
)
def test_what_is_no_loop_is_none_of_another_library(text: str) -> None:
    assert check("import jax\n" + text).unjudged == ()


def test_half_a_loop_is_not_judged() -> None:
    one = only("class Loss:\n    def accumulate(self, x):\n        self.run(x).mean().backward()\n")
    assert (one.kind, one.partly, one.cure) == ("no-step", False, None)
    one = only("NOTE = 'backward('\ndef spend(optimizer):\n    y.data.backward\n    optimizer.step()\n")
    assert (one.kind, one.function, one.cure) == ("no-backward", "spend", None)


def test_gradients_that_are_put_in_place_by_hand() -> None:
    one = only(
        "from torch import autograd\nNOTE = backward()\n"
        "def update(net, optimizer, loss):\n"
        "    grads = autograd.grad(loss, net.parameters())\n"
        "    put(net, grads)\n    optimizer.step()\n"
    )
    assert (one.kind, one.cure) == ("by-hand", None)
    assert "autograd.grad(loss, net.parameters())" in one.reason


def test_an_optimizer_of_other_parameters_is_judged_in_part() -> None:
    text = """
import torch

def train(loader):
    model = Net()
    task = create_task(settings)
    task.train()
    task.eval()
    opt = torch.optim.Adam(model.parameters())
    for x in loader:
        opt.zero_grad()
        task(x).mean().backward()
        opt.step()

class Net(torch.nn.Module):
    pass
"""
    one = only(text)
    assert (one.kind, one.partly) == ("other-parameters", True)
    assert check_text(text.replace("        opt.zero_grad()\n", ""), "a.py", Settings()).findings == ()
    doubted = check_text(text.replace("opt.zero_grad()", "zero"), "a.py", Settings(pedantic=True)).findings
    assert [(one.rule, bool(one.doubts)) for one in doubted] == [("missing-zero-grad", True)]


def test_an_engine_keeps_its_own_books() -> None:
    one = only("def train(model_engine, loader):\n    for x in loader:\n"
               "        model_engine.backward(model_engine(x).mean())\n        model_engine.step()\n")  # fmt: skip
    assert (one.kind, one.partly, one.cure) == ("framework", True, None)
    assert one.reason == "an engine such as DeepSpeed's keeps the books of `model_engine.step()`"


def test_a_backward_that_nobody_comes_to() -> None:
    one = only("def measure(loader):\n    for x in loader:\n        if 0:\n            model(x).backward()\n")
    assert one.kind == "never-reached"
    assert one.reason == "`model(x).backward()` was never reached: it stands behind a condition that no run meets"


def test_the_same_backward_is_told_once() -> None:
    text = """
class Trainer:
    def train_step(self, x):
        self.go(x)
        self.mover.step()

    def valid_step(self, x):
        return self.go(x)

    def go(self, x):
        loss = self.model(x).mean()
        loss.backward()
        return loss
"""
    assert [one.function for one in check(text).unjudged] == ["Trainer.train_step"]


def test_a_function_that_was_told_to_be_part_of_a_loop_is_none_itself() -> None:
    text = LOOPS[5].text.replace("from losses import optimize_fn", "def other():\n    def optimize_fn(optimizer, p):\n"
                                 "        optimizer.step()\n    return optimize_fn\n")  # fmt: skip
    assert check(text, optimize_fn="step").unjudged == ()


def test_nothing_is_said_where_no_rule_is_asked() -> None:
    settings = Settings(select=())
    assert check_text(LOOPS[0].text, "a.py", settings).unjudged == ()


def test_places_and_functions() -> None:
    one = only(LOOPS[2].text)
    assert (one.path, one.span.row, one.function) == ("train.py", 5, "Trainer.fit")


def test_a_notebook_tells_cells(tmp_path: Path) -> None:
    from notebooks import code, notebook

    from gradlint.check.cells import check_file

    text = notebook(code("import torch\n"), code(WINDOW.text))
    (one,) = check_file(text, str(tmp_path / "a.ipynb"), Settings()).unjudged
    assert (one.cell, one.span.row) == (2, 3)
    assert one.cure is not None
    assert (one.cure.cell, one.cure.row) == (2, 4)
