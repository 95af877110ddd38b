"""DDP in one or two processes on gloo (NCCL where each has a GPU of its own), with every all-reduce counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

if TYPE_CHECKING:
    from gradlint.verify.world.world import World


def start(world: World) -> None:
    """One process group for this run. A store in memory counts; a file lets two ranks find each other."""
    if dist.is_initialized():
        return
    plan = world.plan
    stores: Any = dist  # torch does not list the two among what it exports
    store = stores.HashStore() if plan.ranks == 1 else stores.FileStore("ranks", plan.ranks)
    own_gpus = world.device.startswith("cuda") and torch.cuda.device_count() >= plan.ranks > 1
    backend = "nccl" if own_gpus else "gloo"
    dist.init_process_group(backend, store=store, rank=plan.rank, world_size=plan.ranks)


class Several(nn.Module):
    """All nets of one model behind one forward."""

    def __init__(self, nets: list[nn.Module]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The outputs of each."""
        return tuple(net(inputs) for net in self.nets)


def wrap(world: World, nets: list[nn.Module]) -> nn.Module:
    """`DistributedDataParallel` around the nets, with the counting hook."""
    start(world)
    return counting(world, DistributedDataParallel(Several(nets)))


def counting(world: World, ddp: DistributedDataParallel) -> nn.Module:
    """Hang the counting hook into DDP, whoever made it."""

    def count(_: object, bucket: Any) -> Any:
        world.reductions += 1
        buffer = bucket.buffer()
        future: Any = torch.futures.Future()
        if world.plan.ranks > 1:
            dist.all_reduce(buffer)
            buffer.div_(world.plan.ranks)
        future.set_result(buffer)
        return future

    count.__annotations__.clear()  # torch reads them and wants its own types
    ddp.register_comm_hook(None, count)
    return ddp


def mean_of_ranks(gradients: tuple[Any, ...]) -> tuple[Any, ...]:
    """The mean over the ranks of one micro-batch's gradients: what all of them together mean by it."""
    for one in gradients:
        if one is not None:
            dist.all_reduce(one)
    return tuple(one / dist.get_world_size() if one is not None else one for one in gradients)


def disagreement(world: World) -> float:
    """How far the parameters of the ranks are apart, relative to their size."""
    if world.plan.ranks == 1 or not world.models:
        return 0.0
    mine = torch.cat([p.detach().reshape(-1) for model in world.models for p in model.own()])
    mean = mine.clone()
    start(world)
    dist.all_reduce(mean)
    mean /= world.plan.ranks
    return float((mine - mean).norm() / mean.norm())
