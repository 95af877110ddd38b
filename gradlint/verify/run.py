"""One run: a region, a plan, a record. This is what a forked child does."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from gradlint.verify.reasons import InconclusiveError, Reason
from gradlint.verify.record import Record
from gradlint.verify.slice.regions import Region, Slice
from gradlint.verify.world.plan import Plan

if TYPE_CHECKING:
    from gradlint.verify.world.world import World


def run(sliced: Slice, region: Region, plan: Plan) -> Record:
    """Walk the region; a failure of the loop is part of what is recorded."""
    import torch

    from gradlint.verify.machine.machine import Machine
    from gradlint.verify.machine.statements import BreakError, ContinueError, RaisedError, ReturnError
    from gradlint.verify.world.distributed import disagreement
    from gradlint.verify.world.world import World

    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    world = World(plan)
    machine = Machine(sliced, region, world)
    record = world.record
    if any(name.startswith("opacus") for name in sliced.index.imports.values()):
        record.wrapper = "a shim of Opacus without noise"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine.walk()
            if plan.ranks > 1 and record.distributed:
                record.ranks_disagree = disagreement(world)
    except InconclusiveError as error:
        _blame(record, error.reason, error.detail)
    except (RaisedError, ReturnError, BreakError, ContinueError) as error:
        _blame(record, Reason.BRANCH, f"the path ends at {error}")
    except RecursionError:
        _blame(record, Reason.LIMIT, "calls are nested too deep")
    except (RuntimeError, AssertionError) as error:
        _complaint(record, world, str(error))
    except (AttributeError, TypeError, KeyError, IndexError, ValueError, OverflowError, StopIteration) as error:
        _blame(record, Reason.SURROGATE, f"line {world.row}: {type(error).__name__}: {error}"[:200])
    finally:
        torch.set_grad_enabled(mode=True)
    world.finish()
    _reached(record)
    return record


def _complaint(record: Record, world: World, message: str) -> None:
    """Torch complains: about the life of a scaler, which says something, or about the stand-ins, which does not."""
    record.error_row = world.row
    record.error = message.split("\n", 1)[0][:300]
    record.error_kind = kind_of(message)
    if not record.error_kind:
        _blame(record, Reason.SURROGATE, f"line {world.row}: {record.error}")


def _reached(record: Record) -> None:
    """A run that ends well without backward or step says nothing."""
    if record.reason or record.error:
        return
    if not record.columns:
        _blame(record, Reason.BRANCH, "no backward was reached")
    elif not record.updates and not record.skipped_steps:
        _blame(record, Reason.NO_UPDATE, "no optimizer step was reached")


def _blame(record: Record, reason: Reason, detail: str) -> None:
    record.reason, record.detail = reason.value, detail


def kind_of(message: str) -> str:
    """Which of torch's complaints about a scaler this is."""
    if "unscale_() has already been called" in message:
        return "unscale twice"
    if "step() has already been called" in message:
        return "step twice"
    if "unscale_() is being called after step()" in message:
        return "unscale after step"
    if "No inf checks were recorded" in message or "but _scale is None" in message:
        return "scaler without scale"
    return ""
