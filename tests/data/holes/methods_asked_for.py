# === right: a wrapper's method is asked for, and entered for all micro-batches but the last
from contextlib import nullcontext

from torch.nn.parallel import DistributedDataParallel


def train(network, optimizer, batches, accumulation, last_step, alone):
    if not alone:
        network = DistributedDataParallel(network)
    step = 0
    while step < last_step:
        for turn in range(accumulation):
            last = turn + 1 == accumulation
            no_sync = getattr(network, "no_sync", None)
            context = nullcontext() if last or not callable(no_sync) else no_sync()
            with context:
                loss = network(next(batches)).mean()
                (loss / float(accumulation)).backward()
        optimizer.step()
        optimizer.zero_grad()
        step += 1
# === what can be called is left out
from contextlib import nullcontext

from torch.nn.parallel import DistributedDataParallel


def train(network, optimizer, batches, accumulation, steps):
    network = DistributedDataParallel(network)
    for step in range(steps):
        for turn in range(accumulation):
            no_sync = getattr(network, "no_sync", None)
            context = nullcontext() if callable(no_sync) or turn + 1 == accumulation else no_sync()
            with context:
                loss = network(next(batches)).mean()
                (loss / float(accumulation)).backward()  # <- missing-no-sync
        optimizer.step()
        optimizer.zero_grad()
# === it is entered for the last one, too
from contextlib import nullcontext

from torch.nn.parallel import DistributedDataParallel


def train(network, optimizer, batches, accumulation, steps):
    network = DistributedDataParallel(network)
    for step in range(steps):
        for turn in range(accumulation):
            no_sync = getattr(network, "no_sync", None)
            with no_sync() if callable(no_sync) else nullcontext():
                loss = network(next(batches)).mean()
                (loss / float(accumulation)).backward()
        optimizer.step()  # <- step-without-sync
        optimizer.zero_grad()
# === right: whether an object of the project's can be called nobody knows
from contextlib import nullcontext

from torch.nn.parallel import DistributedDataParallel


def train(network, optimizer, batches, accumulation, steps, hooks):
    network = DistributedDataParallel(network)
    for step in range(steps):
        for turn in range(accumulation):
            last = turn + 1 == accumulation
            if callable(hooks.before):
                hooks.before(step)
            with nullcontext() if last else network.no_sync():
                loss = network(next(batches)).mean()
                (loss / float(accumulation)).backward()
        optimizer.step()
        optimizer.zero_grad()
