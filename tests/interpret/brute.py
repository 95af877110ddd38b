"""A loop, dry run and really run, compared world by world."""

from __future__ import annotations

import re
from types import SimpleNamespace

from gradlint.interpret.atoms import AMP
from gradlint.interpret.explore import Region
from gradlint.model.events import EventLog
from interpret.accounts import Accounts, differences
from interpret.loops import Loop
from interpret.machine import accounts, only
from interpret.reality import execute

FLAGS = dict.fromkeys("clip distributed frozen warm schedule average per_batch use_amp".split(), False)
"""What a world that does not ask may assume."""

FOREIGN = re.compile(r", wiped:|^left over:")


def disagreements(loop: Loop) -> list[str]:
    """Where the dry run and reality differ, in every world of the loop's one region.

    A generator's loss also leaves gradients in the discriminator; nobody means them, they are
    wiped before the next step, and the dry run does not follow them.
    """
    region = only(loop.source)
    found: list[str] = [] if region.scenarios else ["no world"]
    for log in region.scenarios:
        real = _real(loop, region.plan.batches, bound(region, log, loop.source))
        found += [
            f"{log.decisions}: {text}"
            for text in differences(real, accounts(log))
            if "discriminator(" not in loop.source or not FOREIGN.search(text)
        ]
    return found


_SEEN: dict[tuple[str, str, int, str], Accounts] = {}


def _real(loop: Loop, batches: int, bindings: dict[str, object]) -> Accounts:
    """What a loop really does; the same loop under the same values is run once."""
    key = (loop.source, repr(loop.entry), batches, repr(bindings))
    if key not in _SEEN:
        _SEEN[key] = execute(loop.source, loop.entry, batches=batches, bindings=bindings)
    return _SEEN[key]


def bound(region: Region, log: EventLog, source: str) -> dict[str, object]:
    """Values for the parameters of a loop: what the dry run chose in this world."""
    plan = region.plan
    names: dict[str, object] = {"accumulation_steps": plan.window, "batch_size": plan.window}
    config = {"accumulation_steps": plan.window}
    chosen: dict[str, object] = {"epochs": 2, "micro_batch_size": 1, **names, **FLAGS}
    for key, value in plan.numbers.bindings.items():
        if key.startswith("config."):
            config[key.removeprefix("config.")] = value
        chosen[key] = value
    for key, value in log.decisions.items():
        if key == AMP:
            chosen |= {"use_amp": value} if value else {"use_amp": False, "scaler": None}
        else:
            name = key.removeprefix("self.")
            chosen[name] = None if not value and f"{name} is" in source else value
    chosen["config"] = SimpleNamespace(**config)
    return chosen
