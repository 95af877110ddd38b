"""Regions: where a run begins, what it covers, and what nobody runs twice."""

from __future__ import annotations

import pytest

from gradlint.model.events import Kind
from interpret.machine import explored

WORK = """
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
"""


def names(source: str) -> list[str]:
    return [region.entry.name for region in explored(source)]


def test_no_work_no_region() -> None:
    assert names("def f(model, x):\n    return model(x)\nprint(f)\n") == []


def test_script_is_a_region() -> None:
    assert names("for b in loader:\n    model(b).backward()\n    optimizer.step()\n") == ["<module>"]


def test_function_is_a_region() -> None:
    assert names(f"def train(model, optimizer, loader):{WORK}") == ["train"]


def test_method_is_a_region() -> None:
    source = f"class T:\n    def fit(self, model, optimizer, loader):{WORK.replace(chr(10), chr(10) + '    ')}"
    assert names(source) == ["T.fit"]


def test_callee_is_no_region_of_its_own() -> None:
    source = """
def one(model, optimizer, batch):
    model(batch).backward()
    optimizer.step()
def train(model, optimizer, loader):
    for batch in loader:
        one(model, optimizer, batch)
def main(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        train(model, optimizer, loader)
"""
    assert names(source) == ["main"]


def test_main_of_a_script_runs_what_it_calls() -> None:
    source = f"""
def train(model, optimizer, loader):{WORK}
def main(model, optimizer, loader):
    train(model, optimizer, loader)
if __name__ == "__main__":
    main(model, optimizer, loader)
"""
    assert names(source) == ["<module>"]


def test_two_functions_are_two_regions() -> None:
    source = f"def a(model, optimizer, loader):{WORK}\ndef b(model, optimizer, loader):{WORK}"
    assert sorted(names(source)) == ["a", "b"]


def test_same_function_called_twice_is_one_region() -> None:
    source = f"""
def train(model, optimizer, loader):{WORK}
def main(model, optimizer, loader):
    train(model, optimizer, loader)
    train(model, optimizer, loader)
"""
    (region,) = explored(source)
    steps = [event for event in region.scenarios[0].events if event.kind is Kind.STEP]
    assert len(steps) >= 14


def test_nested_function_nobody_calls_is_a_region() -> None:
    source = """
def make(model, optimizer):
    def step(batch):
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
    return step
"""
    assert "step" in names(source)


def test_closure_is_run_by_its_step() -> None:
    source = """
def train(model, optimizer, loader):
    for batch in loader:
        def closure():
            optimizer.zero_grad()
            loss = model(batch)
            loss.backward()
            return loss
        optimizer.step(closure)
"""
    (region,) = explored(source)
    kinds = [event.kind for event in region.scenarios[0].events][:4]
    assert kinds == [Kind.ZERO, Kind.FORWARD, Kind.BACKWARD, Kind.STEP]


def test_step_function_is_not_looped() -> None:
    (region,) = explored("def step(model, optimizer, batch):\n    model(batch).backward()\n    optimizer.step()\n")
    assert not region.looped
    (region,) = explored(f"def train(model, optimizer, loader):{WORK}")
    assert region.looped


def test_callback_passed_on_is_run_by_nobody_else() -> None:
    source = f"""
def train(model, optimizer, loader):{WORK}
def main(run):
    run(train)
"""
    assert names(source) == ["train"]


def test_region_covers_what_it_ran() -> None:
    source = """
def helper(optimizer):
    optimizer.step()
def train(model, optimizer, loader):
    for batch in loader:
        model(batch).backward()
        helper(optimizer)
"""
    (region,) = explored(source)
    assert {span.row for span in region.covered} == {2, 4}


def test_events_know_who_called() -> None:
    source = """
def helper(optimizer):
    optimizer.step()
def train(model, optimizer, loader):
    for batch in loader:
        model(batch).backward()
        helper(optimizer)
"""
    (region,) = explored(source)
    step = next(event for event in region.scenarios[0].events if event.kind is Kind.STEP)
    assert step.function == "helper"
    assert [span.row for span in step.calls] == [7]
    assert [iteration.kind for iteration in step.stamp] == ["call", "batch"]


@pytest.mark.parametrize("guard", ["if __name__ == '__main__':", "if True:", "with x:", "try:"])
def test_work_of_a_script_may_be_indented(guard: str) -> None:
    body = "\n".join(
        "    " + line for line in "for b in loader:\n    model(b).backward()\n    optimizer.step()".split("\n")
    )
    end = "\nfinally:\n    pass\n" if guard == "try:" else "\n"
    assert names(f"{guard}\n{body}{end}") == ["<module>"]


def test_evaluation_is_no_work() -> None:
    source = """
def evaluate(model, loader):
    for batch in loader:
        model(batch)
"""
    assert names(source) == []


def test_preparation_writes_no_events() -> None:
    source = f"""
import torch
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.train()
optimizer.zero_grad()
def train(loader):{WORK}
"""
    found = [region for region in explored(source) if region.entry.name == "train"]
    (region,) = found
    assert region.scenarios[0].events[0].stamp


SCRIPT = f"""
def train(model, optimizer, loader, accum=1):{WORK}
def main(opt):
    train(opt.model, opt.optimizer, opt.loader)
def run(**options):
    opt = parse(options)
    for key, value in options.items():
        setattr(opt, key, value)
    HOW
    return opt
if __name__ == "__main__":
    main(parse())
"""


def test_who_only_hands_on_what_the_script_ran_is_no_region() -> None:
    assert names(SCRIPT.replace("HOW", "main(opt)")) == ["<module>"]


@pytest.mark.parametrize(
    "how",
    [
        "train(opt.model, opt.optimizer, opt.loader, accum=4)",
        "opt.loader = 4; main(opt)",
        "model.eval(); main(opt)",
        "optimizer.zero_grad(); main(opt)",
        "main(opt); scheduler.step()",
        "main(build(opt))",
        "\n    for opt in options:\n        main(opt)",
        "\n    with model.no_sync():\n        main(opt)",
    ],
)
def test_who_adds_anything_of_its_own_is_a_region(how: str) -> None:
    assert names(SCRIPT.replace("HOW", how)) == ["<module>", "run"]
