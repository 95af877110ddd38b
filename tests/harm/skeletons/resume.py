"""Runs that begin in the middle, and counters that begin at 0, at 1 or where the last run stopped."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

RESUMED = """
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def save(model, optimizer, step):
    return {
        "model": copy.deepcopy(model.state_dict()),
        "optimizer": copy.deepcopy(optimizer.state_dict()),
        "step": step,
    }


def train(checkpoint=None, max_steps=16, grad_accum=4):
    torch.manual_seed(99)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    start_step = 0
    if checkpoint is not None:
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start_step = checkpoint["step"]
    gen = torch.Generator().manual_seed(start_step)

    for step in range(start_step, max_steps):
        x = torch.randn(4, 3, generator=gen)
        loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)) / grad_accum
        loss.backward()
        if (step + 1) % grad_accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model, save(model, optimizer, step + 1)


def main():
    first, checkpoint = train(max_steps=8)
    second, _ = train(checkpoint)
    return first, second
"""


def resumed_range() -> Iterator[Case]:
    loops = Skeleton("resumed-range")
    yield loops.right("as-it-is", RESUMED, "accumulation-off-by-one")
    one_based = swap(
        RESUMED,
        "range(start_step, max_steps)",
        "range(start_step + 1, max_steps + 1)",
        "(step + 1) % grad_accum",
        "step % grad_accum",
        "optimizer, step + 1)",
        "optimizer, step)",
    )
    yield loops.right("one-based", one_based, "accumulation-off-by-one")
    inverted = swap(
        RESUMED,
        "        if (step + 1) % grad_accum == 0:\n            optimizer.step()\n            optimizer.zero_grad()\n",
        "        if (step + 1) % grad_accum != 0:\n"
        "            continue\n"
        "        optimizer.step()\n"
        "        optimizer.zero_grad()\n",
    )
    yield loops.right("inverted-guard", inverted, "accumulation-off-by-one")
    yield loops.right(
        "odd-checkpoint", swap(RESUMED, "train(max_steps=8)", "train(max_steps=7)"), "accumulation-off-by-one"
    )
    yield loops.wrong(
        "first-window-of-one",
        swap(RESUMED, "(step + 1) % grad_accum", "step % grad_accum"),
        RESUMED,
        tempts=("accumulation-off-by-one",),
    )
    yield loops.wrong(
        "one-based-and-shifted",
        swap(one_based, "step % grad_accum", "(step + 1) % grad_accum"),
        one_based,
        tempts=("accumulation-off-by-one",),
    )
    yield loops.wrong(
        "undivided",
        swap(RESUMED, "keepdim=True)) / grad_accum", "keepdim=True))"),
        RESUMED,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "inverted-and-cleared-first",
        swap(
            inverted,
            "        optimizer.step()\n        optimizer.zero_grad()\n",
            "        optimizer.zero_grad()\n        optimizer.step()\n",
        ),
        inverted,
        tempts=("zero-grad-before-step",),
    )


FAST_FORWARD = """
import argparse
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume-epoch", type=int, default=0)
    parser.add_argument("--resume-step", type=int, default=4)
    parser.add_argument("--accumulation", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(0)
    batches = [torch.randn(5, 4) for _ in range(8)]
    autoencoder = nn.Sequential(nn.Linear(4, 2), nn.Linear(2, 4))
    optimizer = torch.optim.SGD(autoencoder.parameters(), lr=0.3)
    lr_scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs * len(batches) // args.accumulation)
    global_step = 0

    for epoch in range(args.resume_epoch, args.epochs):
        for step, batch in enumerate(batches):
            # Skip steps until we reach the resumed step
            if epoch == args.resume_epoch and step < args.resume_step:
                if (step + 1) % args.accumulation == 0:
                    global_step += 1
                continue
            loss = F.mse_loss(autoencoder(batch), batch)
            loss = loss / args.accumulation
            loss.backward()
            if (step + 1) % args.accumulation == 0:
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
                global_step += 1
                print(global_step, f"{lr_scheduler.get_last_lr()[0]:.6f} {loss.item():.6f}")
    return autoencoder
"""


def fast_forward() -> Iterator[Case]:
    loops = Skeleton("skip-to-resumed-step")
    yield loops.right("as-it-is", FAST_FORWARD, "scheduler-per-micro-batch", "accumulation-off-by-one")
    yield loops.right(
        "schedule-moved-on-while-skipping",
        swap(
            FAST_FORWARD,
            "                    global_step += 1\n                continue",
            "                    global_step += 1\n                    lr_scheduler.step()\n                continue",
        ),
        "scheduler-before-optimizer",
        "scheduler-per-micro-batch",
    )
    yield loops.right(
        "resumed-inside-a-window",
        swap(FAST_FORWARD, '"--resume-step", type=int, default=4', '"--resume-step", type=int, default=3'),
        "accumulation-off-by-one",
        "accumulation-divisor-mismatch",
    )
    per_batch = swap(
        drop(FAST_FORWARD, "lr_scheduler.step()"),
        "            loss.backward()\n",
        "            loss.backward()\n            lr_scheduler.step()\n",
    )
    yield loops.wrong(
        "schedule-per-micro-batch",
        per_batch,
        FAST_FORWARD,
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield loops.right(
        "schedule-in-micro-batches-on-purpose",
        swap(
            drop(FAST_FORWARD, "lr_scheduler.step()"),
            "T_max=args.epochs * len(batches) // args.accumulation",
            "T_max=args.epochs * len(batches)",
            "                global_step += 1\n                print",
            "                for _ in range(args.accumulation):\n"
            "                    lr_scheduler.step()\n"
            "                global_step += 1\n"
            "                print",
        ),
        "scheduler-per-micro-batch",
    )
    yield loops.wrong(
        "cleared-when-not-stepping",
        swap(
            drop(FAST_FORWARD, "optimizer.zero_grad()"),
            "            loss = F.mse",
            "            optimizer.zero_grad()\n            loss = F.mse",
        ),
        FAST_FORWARD,
        tempts=("zero-grad-in-accumulation",),
    )


GLOBAL = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class State(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def progress(it, desc=""):
    for n, item in enumerate(it):
        yield item
    print(desc, "done:", n + 1)


def train_epoch(net, opt, batches, state, every):
    net.train(True)
    for x, y in progress(batches, f"epoch {state.epoch}"):
        state.step += 1
        loss = nn.functional.mse_loss(net(x), y)
        loss.div(every).backward()
        state.loss_sum += loss.item()
        if state.step % every:
            continue
        opt.step()
        opt.zero_grad()
    state.epoch += 1


def main():
    torch.manual_seed(13)
    batches = [(torch.randn(3, 2), torch.randn(3, 2)) for _ in range(7)]
    net = nn.Sequential(nn.Linear(2, 4), nn.Sigmoid(), nn.Linear(4, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    state = State(epoch=0, step=0, loss_sum=0.0)
    while state.epoch < 3:
        train_epoch(net, opt, batches, state, every=3)
    print(state.step, round(state.loss_sum, 6))
    return net
"""


def global_step() -> Iterator[Case]:
    loops = Skeleton("global-step")
    yield loops.right("window-over-the-epoch-boundary", GLOBAL, "dropped-accumulation-tail", "accumulation-off-by-one")
    yield loops.right("resumed-step-not-a-multiple", swap(GLOBAL, "step=0,", "step=4,"), "accumulation-off-by-one")
    yield loops.right(
        "counted-at-the-end",
        swap(
            drop(GLOBAL, "state.step += 1"),
            "        if state.step % every:\n            continue\n        opt.step()\n        opt.zero_grad()\n",
            "        if (state.step + 1) % every == 0:\n"
            "            opt.step()\n"
            "            opt.zero_grad()\n"
            "        state.step += 1\n",
        ),
        "accumulation-off-by-one",
    )
    yield loops.wrong(
        "graphs-in-the-sum",
        swap(
            GLOBAL,
            "state.loss_sum += loss.item()",
            "state.loss_sum += loss",
            "round(state.loss_sum, 6)",
            "round(float(state.loss_sum), 6)",
        ),
        GLOBAL.replace("round(state.loss_sum, 6)", "round(float(state.loss_sum), 6)"),
        tempts=("loss-graph-leak",),
    )
    yield loops.wrong(
        "divided-copy-unused",
        swap(GLOBAL, "loss.div(every).backward()", "loss.div(every)\n        loss.backward()"),
        GLOBAL,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "counted-at-the-end-but-tested-as-one-based",
        swap(
            drop(GLOBAL, "state.step += 1"),
            "            continue\n        opt.step()\n        opt.zero_grad()\n",
            "            state.step += 1\n"
            "            continue\n"
            "        opt.step()\n"
            "        opt.zero_grad()\n"
            "        state.step += 1\n",
        ),
        GLOBAL,
        tempts=("accumulation-off-by-one",),
    )


def cases() -> Iterator[Case]:
    yield from resumed_range()
    yield from fast_forward()
    yield from global_step()
