"""The witness: what it is told is what Python does, what it answers is taken, and what torch measures is on paper."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from gradlint.interpret.explore import Region, regions, witnessed
from gradlint.interpret.witness import NULL
from gradlint.libraries.operations import Operation, Question
from gradlint.libraries.tables import LIBRARIES, OPERATIONS
from gradlint.lower import lower
from gradlint.model.events import Event, EventLog, Kind
from gradlint.model.program import Program
from gradlint.model.roles import Role
from interpret.witness_log import Recorder, executed

ROOT = Path(__file__).parents[2]


def ran(source: str) -> tuple[Program, Region, EventLog]:
    """The one region of a source that trains, in its first scenario."""
    program = lower(source, "train.py")
    found = [one for one in regions(program, every_iteration=True) if any(map(_trains, one.scenarios))]
    assert len(found) == 1
    return program, found[0], found[0].scenarios[0]


def _trains(log: EventLog) -> bool:
    return any(event.kind is Kind.BACKWARD for event in log.events)


# ------------------------------------------------------------------------------------ what it is told

TOLD = {
    "plain": """
import torch

def train(model, criterion, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
""",
    "window": """
import torch
from torch.nn.utils import clip_grad_norm_

def train(model, criterion, loader, args):
    optimizer = torch.optim.AdamW([{"params": model.parameters()}], lr=args.lr)
    for epoch in range(2):
        total = 0.0
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x), y) / 4
            loss.backward()
            total += loss.item() * 4
            if (i + 1) % 4 == 0 or i + 1 == len(loader):
                clip_grad_norm_(model.parameters(), args.clip)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
""",
    "arithmetic": """
import torch
import torch.nn.functional as F

def train(model, criterion, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            out, extra = model(x)
            loss = F.cross_entropy(out, y, reduction="mean") + args.weight * extra.pow(2).mean()
            loss -= 0.5 * extra[0].sum()
            loss /= args.parts
            scaled = (-loss).mul(0.5)
            torch.autograd.backward(scaled)
            optimizer.step()
            optimizer.zero_grad()
""",
    "mixed precision": """
import torch

def train(model, criterion, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    model.train()
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            with torch.autocast("cuda"):
                loss = criterion(model(x), y)
            scaler.scale(loss / 4).backward()
            if (i + 1) % 4 == 0:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
        schedule.step()
""",
    "helpers": """
import torch
from contextlib import nullcontext
from torch.nn.parallel import DistributedDataParallel as DDP

class Trainer:
    def __init__(self, model, criterion):
        self.model = DDP(model)
        self.criterion = criterion
        self.losses = []

    def backward(self, x, y):
        out = self.model(x)
        loss = self.criterion(out, y)
        self.losses.append(loss.detach())
        (loss * 0.25).backward()

def train(model, criterion, loader, args):
    trainer = Trainer(model, criterion)
    optimizer = torch.optim.SGD(trainer.model.parameters(), lr=0.1)
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            with nullcontext() if (i + 1) % 4 == 0 else trainer.model.no_sync():
                trainer.backward(x, y)
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
""",
}


@pytest.mark.parametrize("name", TOLD)
def test_a_witness_is_told_what_python_does(name: str) -> None:
    program, region, log = ran(TOLD[name])
    witness = Recorder()
    witnessed(program, region, log, witness)
    assert witness.entries == executed(TOLD[name], region.plan.batches)


def test_every_operation_of_a_loop_stands_in_the_acts() -> None:
    program, region, log = ran(TOLD["mixed precision"])
    witness = Recorder()
    witnessed(program, region, log, witness)
    done = {act.operation for act in witness.acts}
    assert done >= {
        *(Operation.MAKE, Operation.PARAMETERS, Operation.MODE, Operation.BATCH, Operation.CONTEXT, Operation.FORWARD),
        *(Operation.ARITHMETIC, Operation.SCALE, Operation.BACKWARD, Operation.UNSCALE, Operation.CLIP, Operation.ZERO),
        *(Operation.SCALED_STEP, Operation.ADAPT, Operation.SCHEDULE),
    }
    made = [act.role for act in witness.acts if act.operation is Operation.MAKE]
    assert made == [Role.OPTIMIZER, Role.SCALER, Role.SCHEDULER]


def test_gradients_written_by_hand_are_told() -> None:
    source = """
def train(model, optimizer, loader, n):
    for i, batch in enumerate(loader):
        for p in model.parameters():
            p.requires_grad_(True)
        model(batch).backward()
        if (i + 1) % 4 == 0:
            for p in model.parameters():
                p.grad /= 4
            optimizer.step()
            for p in model.parameters():
                p.grad = None
"""
    program, region, log = ran(source)
    witness = Recorder()
    witnessed(program, region, log, witness)
    assert "5: #1.requires_grad_(True)" in witness.entries
    written = [act for act in witness.acts if act.name in ("scale", "zero")]
    assert [(act.operation, act.name) for act in written[:2]] == [(Operation.WRITE, "scale"), (Operation.ZERO, "zero")]
    assert [float(value) for value in written[0].arguments] == [0.25]


PARAMETERS = {
    "list(a.parameters()) + list(b.parameters())": ["a", "[#0] [] ", "b", "[#2] [] ", "[#1, #3] [] ", "#4"],
    "[p for net in (a, b) for p in net.parameters()]": ["a", "[#0] [] ", "b", "[#2] [] ", "[#1, #3] [] ", "#4"],
    "itertools.chain(a.parameters(), b.parameters())": ["a", "b", "[#0, #1] [] ", "#2"],
    "[*a.parameters(), *b.parameters()]": ["a", "b", "[#0, #1]"],
    "filter(lambda p: p.requires_grad, a.parameters())": ["a", "[#0] [] ", "#1"],
    "[p for p in a.parameters() if p.ndim > 1]": ["a", "[#0] [] p.ndim > 1", "#1"],
}
"""What is made of parameters, one after the other; last what the optimizer is given."""


@pytest.mark.parametrize("written", PARAMETERS)
def test_parameters_keep_their_handles(written: str) -> None:
    source = f"""
import itertools
import torch

def train(a, b, loader):
    optimizer = torch.optim.SGD({written}, lr=0.1)
    for batch in loader:
        b(a(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    program, region, log = ran(source)
    witness = Recorder()
    witnessed(program, region, log, witness)
    *before, given = PARAMETERS[written]
    made = [f"6: {one}.parameters()" if one in "ab" else f"-: {one}" for one in before]
    assert witness.entries[: len(before) + 1] == [*made, f"6: torch.optim.SGD({given}, lr=0.1)"]


def test_what_was_lost_is_told_by_its_name_alone() -> None:
    """A number in its place would be none of the program's."""
    source = """
def train(model, optimizer, loader):
    for batch in loader:
        loss = model(batch)
        losses = {name: value for name, value in loss.items()}
        (loss + something(losses)).backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    program, region, log = ran(source)
    witness = Recorder()
    witnessed(program, region, log, witness)
    assert not any("?loss" in entry or "?something" in entry for entry in witness.entries)


def test_an_effect_has_one_operation() -> None:
    """Records of an effect that is the same are carried out by the same."""
    records = [record for library in LIBRARIES for record in library.calls]
    assert [record.names for record in records if OPERATIONS.get(record.effect) is not record.real] == []


# ----------------------------------------------------------------------------------- what it answers


def kinds(log: EventLog) -> list[Kind]:
    """What happened."""
    return [event.kind for event in log.events]


def test_a_step_that_a_scaler_skips_is_none() -> None:
    program, region, log = ran(TOLD["mixed precision"])
    skipped = witnessed(program, region, log, Recorder({Question.STEPPED: False}))
    assert Kind.STEP in kinds(log)
    assert Kind.STEP not in kinds(skipped)
    assert kinds(skipped).count(Kind.UPDATE) == kinds(log).count(Kind.UPDATE)


ACCELERATED = """
from accelerate import Accelerator

def main(model, optimizer, loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            accelerator.backward(model(batch).loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
"""


def test_accelerate_says_when_it_synchronises() -> None:
    program, region, log = ran(ACCELERATED)
    never = witnessed(program, region, log, Recorder({Question.SYNCHRONISES: False}))
    always = witnessed(program, region, log, Recorder({Question.SYNCHRONISES: True}))
    batches = kinds(log).count(Kind.BACKWARD)
    assert 0 < kinds(log).count(Kind.STEP) < batches
    assert Kind.STEP not in kinds(never)
    assert Kind.CLIP not in kinds(never)
    assert kinds(always).count(Kind.STEP) == kinds(always).count(Kind.CLIP) == batches


@pytest.mark.parametrize(
    ("rank", "question"),
    [
        ("dist.get_rank()", Question.RANK),
        ("int(os.environ['RANK'])", Question.RANK),
        ("int(os.environ.get('LOCAL_RANK', 0))", Question.LOCAL_RANK),
        ("dist.get_world_size()", Question.PROCESSES),
    ],
)
def test_a_process_knows_its_rank(rank: str, question: Question) -> None:
    source = f"""
import os
import torch.distributed as dist

def train(model, optimizer, loader):
    rank = {rank}
    for batch in loader:
        model(batch).backward()
        if rank == 0:
            optimizer.step()
        optimizer.zero_grad()
"""
    program, region, log = ran(source)
    first, other = (witnessed(program, region, log, Recorder({question: number})) for number in (0, 1))
    assert kinds(first).count(Kind.STEP) == kinds(first).count(Kind.BACKWARD)
    assert Kind.STEP not in kinds(other)


# ------------------------------------------------------------------------------ what paper is without


def numbered(events: list[Event]) -> list[Any]:
    """Events, with the origins of losses numbered as they come."""
    seen: dict[int, int] = {}
    return [_numbered(event, seen) for event in events]


def _numbered(event: Event, seen: dict[int, int]) -> Any:
    detail = event.detail
    if not is_dataclass(detail):
        return event
    parts = {one.name: getattr(detail, one.name) for one in fields(detail)}
    for name in {"bases", "smooth"} & parts.keys():
        parts[name] = [seen.setdefault(origin, len(seen)) for origin in sorted(parts[name])]
    return event.kind, event.span, event.subject, event.stamp, event.text, event.calls, parts


FIXTURES = sorted((ROOT / "fixtures").rglob("*.py"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_paper_says_the_same_with_a_witness_and_without(path: Path) -> None:
    """One that answers nothing; frozen on the plan of the region, and with guards as they went."""
    program = lower(path.read_text(encoding="utf-8"), "train.py")
    for region in regions(program, every_iteration=True):
        for log in region.scenarios:
            runs = [witnessed(program, region, log, witness).events for witness in (NULL, Recorder())]
            assert numbered(runs[0]) == numbered(runs[1])
            assert kinds(log) == [event.kind for event in runs[0]]
