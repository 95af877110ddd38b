"""A call that nobody can look into excuses what it could make right, in every rule, and nothing else."""

from __future__ import annotations

from textwrap import dedent

import pytest

from gradlint import check_source
from gradlint.model.events import Deed
from gradlint.rules.support.rule import all_rules

HEAD = """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import StepLR
from elsewhere import {helper}


"""

LOOPS: dict[str, tuple[str, str]] = {
    "accumulation-divisor-mismatch": (
        "helper(optimizer, 2)",
        """
        def train(model, loader, optimizer):
            for i, batch in enumerate(loader):
                (model(batch).mean() / 8).backward()
                if (i + 1) % 4 == 0 or i + 1 == len(loader):
                    CALL
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "accumulation-off-by-one": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                CALL
                if i % n == 0:
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "clip-after-step": (
        "helper(model, loss, optimizer)",
        """
        def train(model, loader, optimizer):
            for batch in loader:
                optimizer.zero_grad()
                loss = model(batch).mean()
                loss.backward()
                optimizer.step()
                CALL
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        """,
    ),
    "clip-before-backward": (
        "helper(model, batch, optimizer)",
        """
        def train(model, loader, optimizer):
            for batch in loader:
                optimizer.zero_grad()
                CALL
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                model(batch).mean().backward()
                optimizer.step()
        """,
    ),
    "clip-per-micro-batch": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                CALL
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "clip-scaled-gradients": (
        "helper(scaler, optimizer)",
        """
        def train(model, loader, optimizer, scaler):
            for batch in loader:
                optimizer.zero_grad()
                scaler.scale(model(batch).mean()).backward()
                CALL
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
        """,
    ),
    "double-unscale": (
        "helper(optimizer, scaler)",
        """
        def train(model, loader, optimizer, scaler):
            for batch in loader:
                scaler.scale(model(batch).mean()).backward()
                scaler.unscale_(optimizer)
                CALL
        """,
    ),
    "dropped-accumulation-tail": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer, n, epochs):
            for epoch in range(epochs):
                for i, batch in enumerate(loader):
                    (model(batch).mean() / n).backward()
                    if (i + 1) % n == 0:
                        optimizer.step()
                        optimizer.zero_grad()
                CALL
        """,
    ),
    "missing-no-sync": (
        "helper(optimizer)",
        """
        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                CALL
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "missing-scaler-update": (
        "helper(scaler)",
        """
        def train(model, loader, optimizer, scaler):
            for batch in loader:
                optimizer.zero_grad()
                scaler.scale(model(batch).mean()).backward()
                scaler.step(optimizer)
                CALL
        """,
    ),
    "missing-zero-grad": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer):
            for batch in loader:
                model(batch).mean().backward()
                optimizer.step()
                CALL
        """,
    ),
    "scheduler-before-optimizer": (
        "helper(model, loader, optimizer)",
        """
        def train(model, loader, optimizer, epochs):
            scheduler = StepLR(optimizer, 10)
            CALL
            for epoch in range(epochs):
                scheduler.step()
                for batch in loader:
                    optimizer.zero_grad()
                    model(batch).mean().backward()
                    optimizer.step()
        """,
    ),
    "scheduler-per-micro-batch": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer, n, updates):
            scheduler = StepLR(optimizer, updates // 3)
            for i, batch in enumerate(loader):
                (model(batch).mean() / n).backward()
                CALL
                scheduler.step()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "step-bypasses-scaler": (
        "helper(scaler, optimizer)",
        """
        def train(model, loader, optimizer, scaler):
            for batch in loader:
                optimizer.zero_grad()
                scaler.scale(model(batch).mean()).backward()
                CALL
                optimizer.step()
                scaler.update()
        """,
    ),
    "step-without-sync": (
        "helper(model)",
        """
        def train(net, loader, optimizer, n):
            model = DDP(net)
            for i, batch in enumerate(loader):
                with model.no_sync():
                    (model(batch).mean() / n).backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    CALL
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "unscaled-accumulation-loss": (
        "helper(optimizer, n)",
        """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                model(batch).mean().backward()
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    CALL
                    optimizer.step()
                    optimizer.zero_grad()
        """,
    ),
    "unscaled-backward": (
        "helper(optimizer, scaler)",
        """
        def train(model, loader, optimizer, scaler):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).mean().backward()
                CALL
                scaler.step(optimizer)
                scaler.update()
        """,
    ),
    "zero-grad-before-step": (
        "helper(model, batch, optimizer)",
        """
        def train(model, loader, optimizer):
            for batch in loader:
                model(batch).mean().backward()
                optimizer.zero_grad()
                CALL
                optimizer.step()
        """,
    ),
    "zero-grad-in-accumulation": (
        "helper(optimizer)",
        """
        def train(model, loader, optimizer, n):
            for i, batch in enumerate(loader):
                optimizer.zero_grad()
                (model(batch).mean() / n).backward()
                CALL
                if (i + 1) % n == 0 or i + 1 == len(loader):
                    optimizer.step()
        """,
    ),
}

NEVER = frozenset(
    "backward-in-autocast clip-exhausted-parameters forward-outside-no-sync loss-graph-leak method-not-called "
    "missing-set-epoch missing-train-mode scaler-with-bfloat16 validation-without-no-grad".split()
)
"""Rules that no call excuses for being handed an optimizer or a scaler."""


def rules(rule: str, helper: str, call: str = "") -> set[str]:
    given, loop = LOOPS[rule]
    text = dedent(loop).replace("CALL", (call or given).replace("helper", helper))
    return {finding.rule for finding in check_source(HEAD.format(helper=helper) + text)}


def test_every_rule_says_what_would_excuse_it() -> None:
    excused = {rule.name for rule in all_rules() if rule.excused_by}
    assert excused == set(LOOPS), "each rule with `excused_by` needs a loop in LOOPS, with a call that may do it"
    others = {rule.name for rule in all_rules()} - excused
    assert others == NEVER, "say in a rule's `excused_by` what would excuse it, or name it in NEVER"


@pytest.mark.parametrize("rule", LOOPS)
def test_a_call_that_may_have_done_it_is_a_doubt(rule: str) -> None:
    assert rule not in rules(rule, "proceed")


@pytest.mark.parametrize("name", ["log_progress", "save_checkpoint", "adjust_learning_rate", "get_lr"])
@pytest.mark.parametrize("rule", LOOPS)
def test_a_call_that_only_looks_is_none(rule: str, name: str) -> None:
    assert rule in rules(rule, name)


@pytest.mark.parametrize("rule", LOOPS)
def test_a_call_that_is_handed_nothing_is_none(rule: str) -> None:
    assert rule in rules(rule, "proceed", "helper(len(loader))")


@pytest.mark.parametrize("rule", LOOPS)
def test_a_record_that_holds_them_is_as_good(rule: str) -> None:
    given, _ = LOOPS[rule]
    inner = given.partition("(")[2].rstrip(")")
    record = ", ".join(f'"{name.strip()}": {name.strip()}' for name in inner.split(","))
    assert rule not in rules(rule, "proceed", f"helper({{{record}}})")


@pytest.mark.parametrize("rule", ["clip-per-micro-batch", "missing-no-sync", "zero-grad-in-accumulation"])
@pytest.mark.parametrize("name", ["clip_gradients", "check_norm", "add_noise"])
def test_a_part_of_an_update_is_no_update(rule: str, name: str) -> None:
    assert rule in rules(rule, name)


def test_what_a_call_may_do_hangs_on_what_it_is_handed() -> None:
    assert "missing-scaler-update" in rules("missing-scaler-update", "proceed", "helper(optimizer)")
    assert "missing-zero-grad" in rules("missing-zero-grad", "proceed", "helper(batch)")
    assert "clip-scaled-gradients" in rules("clip-scaled-gradients", "proceed", "helper(optimizer)")


def test_a_deed_has_its_words() -> None:
    assert len({deed.value for deed in Deed}) == len(Deed)
