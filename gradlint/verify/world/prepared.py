"""What a library hands back for a model, an optimizer, a scheduler or a loader: the same thing, driven through it.

A prepared thing shares everything with the one it was made of, books included; only calls take the other way. `into`
is the thing itself where the loop never had another one.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

from gradlint.verify.world.distributed import Several, counting
from gradlint.verify.world.model import Model
from gradlint.verify.world.optim import Loader, Optimizer, Scheduler

if TYPE_CHECKING:
    from gradlint.verify.world.world import World

Prepare = Callable[[Any], Any]


def wrap(world: World, model: Model, prepare: Prepare) -> None:
    """Hand a model's nets over; where DDP comes back, forwards go through it and its all-reduces are counted."""
    if model.parallel is not None or not model.nets():
        return
    made = prepare(Several(model.nets()))
    if isinstance(made, DistributedDataParallel):
        counting(world, made)
        model.parallel = made
        world.record.distributed = True


def optimizer(one: Optimizer, prepare: Prepare, into: Any) -> Optimizer:
    """An optimizer whose calls go through the library."""
    if one.outer is not None:
        return one
    made: Optimizer = into if into is not None else copy.copy(one)
    made.outer = prepare(one.real)
    return made


def scheduler(one: Scheduler, prepare: Prepare, into: Any) -> Scheduler:
    """A scheduler whose steps go through the library."""
    if one.outer is not None or one.real is None:
        return one
    made: Scheduler = into if into is not None else copy.copy(one)
    made.outer = prepare(one.real)
    return made


def loader(one: Loader, prepare: Prepare, into: Any, *, split: bool) -> Loader:
    """A loader whose batches the library hands out: as many as the plan has, for each process."""
    if one.feed is not None or type(one) is not Loader:
        return one
    made: Loader = epochs(one, into)
    ranks, batches = one.world.plan.ranks, one.world.plan.batches
    numbers: Any = range(batches * ranks)
    made.feed = prepare(DataLoader(numbers, batch_size=ranks if split else 1))
    return made


def epochs(one: Loader, into: Any = None) -> Loader:
    """A loader that tells its sampler the epoch by itself, as both libraries do."""
    made: Loader = into if into is not None else copy.copy(one)
    made.tells_epoch = True
    return made


@contextlib.contextmanager
def counted(world: World, models: list[Model]) -> Iterator[None]:
    """In the books: inside, a model of these does not synchronise."""
    quiet = any(one.parallel is not None and not one.parallel.require_backward_grad_sync for one in models)
    world.no_sync += quiet
    try:
        yield
    finally:
        world.no_sync -= quiet
