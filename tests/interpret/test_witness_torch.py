"""Paper against torch, step by step in one run: the weights that a witness measures are those of paper's ledger.

The witness gets no weight, window, owner or scale. What it cannot carry is named; what it can, and is named, fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: nothing can be measured")
from gradlint.interpret.explore import Region, regions, witnessed
from gradlint.lower import Linked, lower
from gradlint.model.events import EventLog, Kind
from gradlint.model.program import Program
from gradlint.project.project import Project
from interpret.measured import Compared, compared, held_against
from interpret.witness_torch import TorchWitness

ROOT = Path(__file__).parents[2]
FIXTURES = {f"{path.parent.name}/{path.stem}": path for path in sorted((ROOT / "fixtures").rglob("*.py"))}

NOT_CARRIED = {
    "double-unscale/buggy": "the scaler raises at the second unscale_",
    "missing-scaler-update/buggy": "the scaler raises at the second step",
    "sound/accelerate_accumulate": "a framework that keeps books of its own",
    "sound/deepspeed_engine_step": "a framework that keeps books of its own",
    "sound/fabric_backward": "a framework that keeps books of its own",
    "sound/gradient_penalty": "a loss of gradients",
    "sound/lbfgs_closure": "a closure that torch calls as often as it likes",
    "sound/lightning_automatic_optimization": "a framework that owns the loop",
    "sound/loss_weighted_by_slice_share": "a number of each batch weighs a loss",
    "sound/optimizer_in_backward": "a hook of a parameter steps",
    "sound/ppo_several_epochs_per_rollout": "a loss of what was computed without a graph in a list",
    "sound/sam_two_passes": "the two halves of a SAM update",
}
"""Fixtures without a measured ledger, and why."""

SETS = {"2026-11-22-wet": 80, "2026-11-26-l": 85}
"""Sets of labelled loops, and of how many at least every weight is measured."""

RIGHT = {
    "2026-11-26-l/wrong/017": "gradients that nobody clears are divided by the scale once more with each unscale_: on"
    " paper they keep their weight",
}
"""Loops in which torch is right."""


def trained(program: Program) -> Iterator[tuple[Region, EventLog]]:
    """The regions that train, in their first scenarios."""
    for region in regions(program, every_iteration=True):
        for log in region.scenarios[:1]:
            if any(event.kind is Kind.BACKWARD for event in log.events):
                yield region, log


def measured(text: str, seed: int = 0) -> list[Compared]:
    """Everything that is trained in a file, with the witness beside it."""
    program = lower(text, "train.py")
    return [compared(program, region, log, seed) for region, log in trained(program)]


@pytest.mark.parametrize("name", FIXTURES)
def test_ledgers_of_fixtures(name: str) -> None:
    found = measured(FIXTURES[name].read_text(encoding="utf-8"))
    assert [text for one in found for text in one.differences] == []
    weights = sum(one.weights for one in found)
    assert (weights == 0) is (name in NOT_CARRIED), [one.uncarried or one.refused for one in found]


@pytest.mark.parametrize("name", SETS)
def test_ledgers_of_labelled_loops(name: str) -> None:
    folder = ROOT / "benchmarks" / "loops"
    equal, differ = Counter[str](), set()
    for path in sorted((folder / name).rglob("*.py")):
        place = path.relative_to(folder).with_suffix("").as_posix()
        for one in measured(path.read_text(encoding="utf-8")):
            differ |= {place} if one.differences else set()
            equal[path.parent.name] += not one.differences and one.weights > 0
    assert differ == {place for place in RIGHT if place.startswith(name)}
    assert equal.total() >= SETS[name]
    assert min(equal["right"], equal["wrong"]) > 25


# -------------------------------------------------------------------------------- two modules, two draws

ENGINE = """
from torch.nn.utils import clip_grad_norm_


def backward(loss, parts):
    loss /= parts
    loss.backward()


class Updater:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def update(self, limit):
        clip_grad_norm_(self.model.parameters(), limit)
        self.optimizer.step()
        self.optimizer.zero_grad()
"""

MAIN = """
import torch
import torch.nn.functional as F
from engine import Updater, backward


def main(loader, args):
    model = torch.nn.Linear(8, 1)
    updater = Updater(model, torch.optim.AdamW(model.parameters(), lr=1e-3))
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            backward(F.mse_loss(model(x), y){weight}, args.accum)
            if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                updater.update(args.limit)


if __name__ == "__main__":
    main(load(), parse())
"""


def project(folder: Path, weight: str = "") -> tuple[Program, Region, EventLog]:
    """A loop whose helpers stand in another module."""
    for name, text in {"main": MAIN.format(weight=weight), "engine": ENGINE, "pyproject": ""}.items():
        (folder / f"{name}.{'toml' if name == 'pyproject' else 'py'}").write_text(text, encoding="utf-8")
    main = str(folder / "main.py")
    program = Linked(Project.around(main)).program(main)
    ((region, log),) = trained(program)
    return program, region, log


@pytest.mark.parametrize("weight", ["", " * 0.5", " * args.weight"])
@pytest.mark.parametrize("seed", [0, 1])
def test_helpers_in_another_module(weight: str, seed: int, tmp_path: Path) -> None:
    """A weight that nobody knows is drawn twice: in both draws it is the same for all micro-batches."""
    found = compared(*project(tmp_path, weight), seed)
    assert found == Compared(weights=14, updates=6)


def test_a_draw_is_measured_and_another_one_otherwise(tmp_path: Path) -> None:
    program, region, log = project(tmp_path, " * args.weight")
    weights = []
    for seed in (0, 1):
        witness = TorchWitness(seed)
        witnessed(program, region, log, witness)
        found = [weight * region.plan.window for weight in witness.steps[0].weights.values()]
        assert found == pytest.approx([found[0]] * region.plan.window)
        weights.append(found[0])
    assert len({round(one, 3) for one in [*weights, 0.0, 1.0]}) == 4


# ------------------------------------------------------------------------------------ it can say no

LOOP = """
import torch

def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / 4
            scaler.scale(loss).backward()
            if (i + 1) % 4 == 0:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
"""

UPDATE = "scaler.step(optimizer)\n                scaler.update()"
OTHERS = {
    "not divided": ("model(x), y) / 4", "model(x), y)", "g1 is 1 measured, 1/4 on paper"),
    "divided twice": ("model(x), y) / 4", "model(x), y) / 4 / 4", "g1 is 1/16 measured, 1/4 on paper"),
    "a sum": ("model(x), y) / 4", "model(x), y, reduction='sum') / 4", ""),
    "cleared": ("            loss =", "            optimizer.zero_grad()\n            loss =", "g1 is 0 measured"),
    "other windows": ("(i + 1) % 4", "(i + 1) % 3", "on paper"),
    "scaled": (UPDATE, "optimizer.step()", "g1 is 256 measured, 1/4 on paper"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_ledger_of_another_loop_is_not_the_measured_one(name: str) -> None:
    """Paper of the loop as it is, beside what is measured of one that does something else."""
    old, new, said = OTHERS[name]
    (here,) = trained(lower(LOOP, "train.py"))
    program = lower(LOOP.replace(old, new), "train.py")
    (there,) = trained(program)
    witness = TorchWitness()
    witnessed(program, *there, witness)
    found = held_against(*here, witness).differences
    assert any(said in text for text in found) if said else not found
    assert measured(LOOP.replace(old, new))[0].differences == ()
