"""Speech and text: takes that are skipped, text in chunks, scaled updates, and windows of two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

DICTATION = Draft(
    "dictation-with-bad-takes",
    """\
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Recogniser(nn.Module):
    def __init__(self, phones=5):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.hear = nn.GRU(4, 6, batch_first=True)
        self.say = nn.Linear(6, phones)

    def forward(self, frames):
        frames = self.norm(frames.transpose(1, 2)).transpose(1, 2)
        return self.say(self.hear(frames)[0])


def takes(night, count=11):
    dice = torch.Generator().manual_seed(night)
    for number in range(count):
        frames = torch.randn(2, 3 + (number * 7 + night) % 4, 4, generator=dice)
        gain = math.inf if number == 4 else 2.0
        yield frames, frames.sum(2).abs().long().clamp(max=4), gain


class Dictation:
    def __init__(self, window=3):
        torch.manual_seed(31)
        self.net = Recogniser()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.3, momentum=0.5)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda update: 1 / (1 + update))
        self.window = window
        self.heard = {"loss": [], "norm": []}

    def flush(self):
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.4)
        self.opt.step()
        self.sched.step()
        self.heard["norm"].append(norm.item())
        self.opt.zero_grad()

    def night(self, number):
        self.net.train()
        kept = 0
        for frames, phones, gain in takes(number):
            loss = gain * nn.functional.cross_entropy(self.net(frames).flatten(0, 1), phones.flatten())
            if not torch.isfinite(loss):
                continue
            (loss / self.window).backward()
            self.heard["loss"].append(loss.detach())
            kept += 1
            if kept % self.window == 0:
                self.flush()
        if kept % self.window:
            self.flush()

    def test(self):
        self.net.eval()
        with torch.no_grad():
            hits = [(self.net(frames).argmax(2) == phones).double().mean() for frames, phones, _ in takes(99, 4)]
        return sum(hits).item() / len(hits)


def main():
    desk = Dictation()
    for number in range(3):
        desk.night(number)
        print(number, f"{desk.test():.4f}", f"{desk.heard['norm'][-1]:.4f}", f"{sum(desk.heard['loss']).item():.4f}")
    return desk.net
""",
    ("dropped-accumulation-tail", "zero-grad-in-accumulation"),
)

D_CLIP = "        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.4)\n"
D_STEP = "        self.opt.step()\n        self.sched.step()\n"
D_TAIL = "        if kept % self.window:\n            self.flush()\n"
D_BACK = "            (loss / self.window).backward()\n"
D_SKIP = "                continue\n"
D_GUARD = "            if kept % self.window == 0:\n"


def dictated() -> Iterator[Case]:
    yield DICTATION.right("as-it-is")
    yield DICTATION.right(
        "windows-reach-into-the-next-night",
        (D_TAIL, ""),
        ("        kept = 0\n", ""),
        (
            "            kept += 1\n" + D_GUARD,
            "            self.kept += 1\n            if self.kept % self.window == 0:\n",
        ),
        ("        self.window = window\n", "        self.window = window\n        self.kept = 0\n"),
    )
    yield DICTATION.right(
        "bad-take-gives-up-its-window",
        (D_SKIP, "                self.opt.zero_grad()\n                kept = 0\n" + D_SKIP),
    )
    yield DICTATION.right(
        "rest-of-a-night-is-thrown-away", (D_TAIL, "        self.opt.zero_grad()\n"), tempts=("zero-grad-before-step",)
    )
    yield DICTATION.wrong(
        "sleeps-after-the-test", (("        self.net.train()\n", ""),), tempts=("missing-train-mode",)
    )
    yield DICTATION.wrong(
        "losses-are-heard-whole", (("append(loss.detach())", "append(loss)"),), tempts=("loss-graph-leak",)
    )
    yield DICTATION.wrong(
        "schedule-moves-at-each-good-take",
        ((D_STEP, "        self.opt.step()\n"), (D_BACK, D_BACK + "            self.sched.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield DICTATION.wrong(
        "norm-is-read-behind-the-step", ((D_CLIP + D_STEP, D_STEP + D_CLIP),), tempts=("clip-after-step",)
    )
    yield DICTATION.left(
        "bad-takes-may-end-a-window",
        (
            (
                "        for frames, phones, gain in takes(number):\n",
                "        for kept, (frames, phones, gain) in enumerate(takes(number), 1):\n",
            ),
            ("            kept += 1\n", ""),
        ),
    )


NOTEBOOK = Draft(
    "letters-in-a-notebook",
    """\
import argparse

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
parser = argparse.ArgumentParser()
parser.add_argument("--grad-accum", type=int, default=4)
parser.add_argument("--chunk", type=int, default=5)
parser.add_argument("--clip", type=float, default=0.3)
args = parser.parse_args([])

text = "the cat sat on the mat and the rat sat on the cat " * 3
letters = sorted(set(text))
ids = torch.tensor([letters.index(letter) for letter in text])
pieces = list(zip(ids[:-1].split(args.chunk), ids[1:].split(args.chunk)))

torch.manual_seed(2)
net = nn.ModuleDict(
    {"embed": nn.Embedding(len(letters), 6), "core": nn.LSTM(6, 10), "out": nn.Linear(10, len(letters))}
)
params = list(net.parameters())
optimizer = torch.optim.RMSprop(params, lr=0.02)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)

best, waited, epoch = float("inf"), 0, 0
while epoch < 4:
    state, total = None, 0.0
    for i, (seen, following) in enumerate(pieces):
        hidden, state = net["core"](net["embed"](seen), state)
        state = tuple(part.detach() for part in state)
        loss = F.cross_entropy(net["out"](hidden), following)
        (loss / args.grad_accum).backward()
        total += loss.item()
        if (i + 1) % args.grad_accum == 0 or i + 1 == len(pieces):
            nn.utils.clip_grad_norm_(params, args.clip)
            optimizer.step()
            optimizer.zero_grad()
    mean = total / len(pieces)
    print(f"{epoch}: {mean:.4f}")
    scheduler.step(mean)
    if mean < best - 1e-3:
        best, waited = mean, 0
    elif (waited := waited + 1) >= 2:
        break
    epoch += 1
else:
    print("ran out of epochs")


def main():
    return net
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)

N_GUARD = "        if (i + 1) % args.grad_accum == 0 or i + 1 == len(pieces):\n"
N_CLIP = "            nn.utils.clip_grad_norm_(params, args.clip)\n"
N_BODY = """\
        state = tuple(part.detach() for part in state)
        loss = F.cross_entropy(net["out"](hidden), following)
        (loss / args.grad_accum).backward()
        total += loss.item()
"""


def in_a_notebook() -> Iterator[Case]:
    yield NOTEBOOK.right("as-it-is")
    yield NOTEBOOK.right(
        "one-backward-through-a-whole-window",
        ("    state, total = None, 0.0\n", "    state, total, window = None, 0.0, 0.0\n"),
        (
            N_BODY + N_GUARD,
            """\
        loss = F.cross_entropy(net["out"](hidden), following)
        window = window + loss
        total += loss.item()
"""
            + N_GUARD
            + """\
            (window / args.grad_accum).backward()
            window, state = 0.0, tuple(part.detach() for part in state)
""",
        ),
        tempts=("loss-graph-leak",),
    )
    yield NOTEBOOK.wrong(
        "walked-once", (("list(net.parameters())", "net.parameters()"),), tempts=("clip-exhausted-parameters",)
    )
    yield NOTEBOOK.right(
        "walked-anew",
        ("params = list(net.parameters())\n", ""),
        ("RMSprop(params,", "RMSprop(net.parameters(),"),
        ("clip_grad_norm_(params,", "clip_grad_norm_(filter(lambda p: p.grad is not None, net.parameters()),"),
        tempts=("clip-exhausted-parameters",),
    )
    yield NOTEBOOK.wrong(
        "cell-forgot-the-brackets", (("optimizer.zero_grad()", "optimizer.zero_grad"),), tempts=("method-not-called",)
    )
    yield NOTEBOOK.wrong("total-is-a-tensor", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield NOTEBOOK.wrong("last-pieces-wait", ((" or i + 1 == len(pieces)", ""),), tempts=("dropped-accumulation-tail",))
    yield NOTEBOOK.right(
        "last-pieces-are-dropped",
        (" or i + 1 == len(pieces)", ""),
        ("    state, total = None, 0.0\n", "    state, total = None, 0.0\n    optimizer.zero_grad()\n"),
    )
    yield NOTEBOOK.wrong("first-piece-alone", (("(i + 1) % args.grad_accum", "i % args.grad_accum"),))
    yield NOTEBOOK.right(
        "counted-from-a-whole-window",
        ("enumerate(pieces):", "enumerate(pieces, start=args.grad_accum):"),
        ("i + 1 == len(pieces)", "i + 1 - args.grad_accum == len(pieces)"),
    )
    yield NOTEBOOK.wrong(
        "divided-by-the-length-of-a-piece",
        (("(loss / args.grad_accum)", "(loss / args.chunk)"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield NOTEBOOK.wrong(
        "clipped-for-each-piece-and-a-tensor",
        ((N_CLIP, ""), (N_GUARD, N_CLIP[4:] + N_GUARD)),
        (("loss.item()", "loss"),),
        tempts=("clip-per-micro-batch", "loss-graph-leak"),
    )


INTERPRETER = Draft(
    "interpreter-with-a-scaler",
    """\
import copy

import torch
from torch import nn
from torch.amp import GradScaler


def phrases(count):
    dice = torch.Generator().manual_seed(77)
    for number in range(count):
        x = torch.randn(4, 6, generator=dice)
        yield x * (1e20 if number == 4 else 1), x[:, :4].sin() + x[:, 2:]


def make_update(scaler, nets, opts, limits, shadow):
    def update():
        norms = []
        for net, opt, limit in zip(nets, opts, limits):
            scaler.unscale_(opt)
            norms.append(nn.utils.clip_grad_norm_(net.parameters(), limit))
            scaler.step(opt)
        scaler.update()
        for opt in opts:
            opt.zero_grad()
        with torch.no_grad():
            for slow, fast in zip(shadow.parameters(), nn.Sequential(*nets).parameters()):
                slow.lerp_(fast, 0.1)
        return norms

    return update


def main(accum=2, count=13):
    torch.manual_seed(41)
    source, target = nn.Sequential(nn.Linear(6, 8), nn.ReLU()), nn.Linear(8, 4)
    shadow = copy.deepcopy(nn.Sequential(source, target)).requires_grad_(False)
    opts = [torch.optim.SGD(source.parameters(), lr=0.1), torch.optim.SGD(target.parameters(), lr=0.05, momentum=0.9)]
    scaler = GradScaler("cpu", init_scale=2.0**10, growth_interval=2)
    update = make_update(scaler, [source, target], opts, [0.5, 0.25], shadow)
    for n, (x, y) in enumerate(phrases(count), start=1):
        loss = nn.functional.mse_loss(target(source(x)), y)
        scaler.scale(loss / accum).backward()
        scaler.scale(0.01 / accum * target.weight.pow(2).sum()).backward()
        if n % accum == 0 or n == count:
            norms = update()
    print(*(f"{float(norm):.3f}" for norm in norms))
    return source, target, shadow
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

I_UNSCALE = "            scaler.unscale_(opt)\n"
I_CLIP = "            norms.append(nn.utils.clip_grad_norm_(net.parameters(), limit))\n"
I_STEP = "            scaler.step(opt)\n"
I_UPDATE = "        scaler.update()\n"
I_WEIGHT = "scaler.scale(0.01 / accum * target.weight.pow(2).sum()).backward()"


def interpreted() -> Iterator[Case]:
    yield INTERPRETER.right("as-it-is")
    yield INTERPRETER.right(
        "all-unscaled-then-all-stepped",
        (I_STEP + I_UPDATE, "        for opt in opts:\n" + I_STEP + I_UPDATE),
        tempts=("double-unscale",),
    )
    yield INTERPRETER.wrong("clip-in-front-of-unscaling", ((I_UNSCALE + I_CLIP, I_CLIP + I_UNSCALE),))
    yield INTERPRETER.wrong("update-between-the-two", ((I_STEP + I_UPDATE, I_STEP + "    " + I_UPDATE),))
    yield INTERPRETER.wrong(
        "step-goes-past-the-scaler", ((I_STEP, "            opt.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield INTERPRETER.wrong(
        "unscaled-by-the-caller-too",
        (("            norms = update()\n", "            scaler.unscale_(opts[1])\n            norms = update()\n"),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield INTERPRETER.wrong(
        "decay-is-not-scaled",
        ((I_WEIGHT, "(0.01 / accum * target.weight.pow(2).sum()).backward()"),),
        tempts=("unscaled-backward",),
    )
    yield INTERPRETER.right(
        "decay-on-true-gradients",
        ("        " + I_WEIGHT + "\n", ""),
        (
            I_CLIP,
            I_CLIP + "            if net is nets[1]:\n                (0.01 * net.weight.pow(2).sum()).backward()\n",
        ),
        tempts=("unscaled-backward",),
    )
    yield INTERPRETER.right(
        "scale-moves-by-hand",
        (I_UPDATE, "        scaler.update(max(scaler.get_scale() / 2, 1.0))\n"),
        tempts=("missing-scaler-update",),
    )


DIALOGUE = Draft(
    "dialogue-on-two-ranks",
    """\
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.set_default_dtype(torch.float64)


def windows(turns, size):
    held = []
    for turn in turns:
        held.append(turn)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held


def turns_of(rank, count=8):
    dice = torch.Generator().manual_seed(900 + rank)
    for _ in range(count):
        x = torch.randn(3, 4, generator=dice)
        yield x, 5 * x.prod(1, keepdim=True)


def learn(model, window, optimizer):
    *early, last = window
    with model.no_sync():
        for x, y in early:
            (F.mse_loss(model(x), y) / len(window)).backward()
    (F.mse_loss(model(last[0]), last[1]) / len(window)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.7)
    optimizer.step()
    optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(6)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 7), nn.Tanh(), nn.Linear(7, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for window in windows(turns_of(dist.get_rank()), 3):
        learn(model, window, optimizer)
    return model
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

T_HELD = """\
    with model.no_sync():
        for x, y in early:
            (F.mse_loss(model(x), y) / len(window)).backward()
"""
T_LAST = "    (F.mse_loss(model(last[0]), last[1]) / len(window)).backward()\n"
T_CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 0.7)\n"
T_SPLIT = "    *early, last = window\n"


def replied() -> Iterator[Case]:
    yield DIALOGUE.right("as-it-is")
    yield DIALOGUE.wrong(
        "nothing-is-held",
        (
            (T_SPLIT, ""),
            (T_HELD + T_LAST, "    for x, y in window:\n        (F.mse_loss(model(x), y) / len(window)).backward()\n"),
        ),
    )
    yield DIALOGUE.wrong("the-last-is-held-too", ((T_LAST, "    " + T_LAST),))
    yield DIALOGUE.wrong(
        "forward-runs-outside",
        (
            (
                T_HELD,
                (
                    "    for x, y in early:\n        loss = F.mse_loss(model(x), y) / len(window)\n"
                    "        with model.no_sync():\n            loss.backward()\n"
                ),
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield DIALOGUE.right(
        "ranks-learn-alone-and-meet",
        (T_SPLIT, ""),
        (
            T_HELD + T_LAST,
            (
                "    with model.no_sync():\n        for x, y in window:\n"
                "            (F.mse_loss(model(x), y) / len(window)).backward()\n"
            ),
        ),
        (
            "    return model\n",
            (
                "    for p in model.parameters():\n        dist.all_reduce(p.data)\n        p.data /= 2\n"
                "    return model\n"
            ),
        ),
    )
    yield DIALOGUE.wrong(
        "clipped-while-held",
        (
            (T_CLIP, ""),
            (T_HELD, T_HELD + "            nn.utils.clip_grad_norm_(model.parameters(), 0.7)\n"),
            (T_LAST, T_LAST + T_CLIP),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield DIALOGUE.wrong(
        "held-ones-are-not-divided",
        (
            (
                "            (F.mse_loss(model(x), y) / len(window)).backward()\n",
                "            F.mse_loss(model(x), y).backward()\n",
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield DIALOGUE.left("past-the-wrapper", ((T_LAST, T_LAST.replace("model(last", "model.module(last")),))


def cases() -> Iterator[Case]:
    yield from dictated()
    yield from in_a_notebook()
    yield from interpreted()
    yield from replied()
