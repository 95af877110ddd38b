"""A loop, dry run and really run, compared world by world."""

from __future__ import annotations

from types import SimpleNamespace

from dryrun.accounts import differences
from dryrun.loops import Loop
from dryrun.machine import accounts, only
from dryrun.reality import execute
from gradlint.dryrun.explore import Region
from gradlint.dryrun.guards import AMP
from gradlint.trail import Trail


def disagreements(loop: Loop) -> list[str]:
    """Where the dry run and reality differ, in every world of the loop's one region."""
    region = only(loop.source)
    found: list[str] = [] if region.worlds else ["no world"]
    for trail in region.worlds:
        real = execute(
            loop.source,
            loop.entry,
            batches=region.plan.batches,
            bindings=bound(region, trail),
        )
        found += [f"{trail.decisions}: {text}" for text in differences(real, accounts(trail))]
    return found


def bound(region: Region, trail: Trail) -> dict[str, object]:
    """Values for the parameters of a loop: what the dry run chose in this world."""
    plan = region.plan
    chosen: dict[str, object] = {"epochs": 2, "accumulation_steps": plan.window}
    config = {"accumulation_steps": plan.window}
    for key, value in (plan.bindings | trail.decisions).items():
        if key == AMP:
            chosen["use_amp"] = value
        elif key.startswith("config."):
            config[key.removeprefix("config.")] = int(value)
        else:
            chosen[key] = value
    chosen["config"] = SimpleNamespace(**config)
    return chosen
