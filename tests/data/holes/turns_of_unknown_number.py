# === right: the last of the pieces that a range goes through synchronises
from contextlib import nullcontext

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(policy, optimizer, rows, count, size, epochs):
    policy = FSDP(policy)
    pieces = count // size
    for epoch in range(epochs):
        optimizer.zero_grad()
        for number, start in enumerate(range(0, count, size)):
            last = number == pieces - 1
            with nullcontext() if last else policy.no_sync():
                policy(rows[start : start + size]).sum().backward()
        optimizer.step()
# === the last of the pieces that a range goes through does not synchronise
from contextlib import nullcontext

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(policy, optimizer, rows, count, size, epochs):
    policy = FSDP(policy)
    pieces = count // size
    for epoch in range(epochs):
        optimizer.zero_grad()
        for number, start in enumerate(range(0, count, size)):
            last = number == pieces
            with nullcontext() if last else policy.no_sync():
                policy(rows[start : start + size]).sum().backward()
        optimizer.step()  # <- step-without-sync
# === right: how many pieces there are is another number in each epoch
from contextlib import nullcontext

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(policy, optimizer, rows, mask, size, epochs):
    policy = FSDP(policy)
    for epoch in range(epochs):
        pieces = int(mask(epoch).sum().item()) // size
        optimizer.zero_grad()
        for number in range(pieces):
            last = number == pieces - 1
            with nullcontext() if last else policy.no_sync():
                policy(rows[number]).sum().backward()
        optimizer.step()
# === right: such a number, counted beside the places where the pieces begin
from contextlib import nullcontext

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(policy, optimizer, rows, mask, size, epochs):
    policy = FSDP(policy)
    for epoch in range(epochs):
        count = int(mask(epoch).sum().item())
        pieces = count // size
        optimizer.zero_grad()
        for number, start in enumerate(range(0, count, size)):
            last = number == pieces - 1
            with nullcontext() if last else policy.no_sync():
                policy(rows[start : start + size]).sum().backward()
        optimizer.step()
# === such a number, and the last piece alone stays silent
from contextlib import nullcontext

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(policy, optimizer, rows, mask, size, epochs):
    policy = FSDP(policy)
    for epoch in range(epochs):
        count = int(mask(epoch).sum().item())
        pieces = count // size
        optimizer.zero_grad()
        for number, start in enumerate(range(0, count, size)):
            last = number == pieces - 1
            with policy.no_sync() if last else nullcontext():
                policy(rows[start : start + size]).sum().backward()
        optimizer.step()  # <- step-without-sync
