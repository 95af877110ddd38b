"""Biology: genes on a budget, an atlas in two processes, folded proteins, doses by options, calls by events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PANEL = Draft(
    "gene-panel-on-a-budget",
    """\
import torch

torch.set_default_dtype(torch.float64)
BUDGET, SAMPLES = 9, 3


def assays(seed):
    gen = torch.Generator().manual_seed(seed)
    while True:
        genes = torch.randn(SAMPLES, 6, generator=gen)
        yield genes, genes[:, :2].prod(1, keepdim=True)


def main(updates=4, parts=3):
    torch.manual_seed(52)
    panel = torch.nn.Sequential(torch.nn.Linear(6, 7), torch.nn.Mish(), torch.nn.Linear(7, 1))
    optimizer = torch.optim.SGD(panel.parameters(), lr=0.1, momentum=0.5)
    left, spent, source = BUDGET, [], assays(1)
    try:
        while left > 0:
            optimizer.zero_grad()
            for part in range(parts):
                if left == 0:
                    break
                genes, trait = next(source)
                losses = [(panel(gene) - wanted).square().mean() for gene, wanted in zip(genes, trait)]
                (sum(losses) / (SAMPLES * parts)).backward()
                spent += [loss.item() for loss in losses]
                left -= 1
            else:
                updates -= 1
            torch.nn.utils.clip_grad_norm_(panel.parameters(), 0.8)
            optimizer.step()
            if (score := sum(spent) / len(spent)) < 0.01 or not updates:
                break
    finally:
        source.close()
        print(f"{score:.4f} {left} {updates}")
    return panel
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "clip-per-micro-batch", "loss-graph-leak"),
)

P_CLEAR = "            optimizer.zero_grad()\n"
P_BACK = "                (sum(losses) / (SAMPLES * parts)).backward()\n"
P_CLIP = "            torch.nn.utils.clip_grad_norm_(panel.parameters(), 0.8)\n"
P_STEP = "            optimizer.step()\n"
P_EACH = "                for loss in losses:\n                    (loss / (SAMPLES * parts)).backward()\n"
P_LOSSES = "                losses = ["


def panel() -> Iterator[Case]:
    yield PANEL.right("as-it-is")
    yield PANEL.right("divided-by-the-budget-of-the-same-size", ("(SAMPLES * parts)", "BUDGET"))
    yield PANEL.right("each-sample-goes-back-alone", (P_BACK, P_EACH))
    yield PANEL.right(
        "largest-gradient-is-only-read",
        (P_BACK, P_BACK + "    " + P_CLIP.replace("0.8", "float('inf')")),
        (
            "            else:\n                upd",
            "            else:\n                print(part)\n                upd",
        ),
    )
    yield PANEL.wrong("sum-of-the-parts", (("(SAMPLES * parts)", "SAMPLES"),))
    yield PANEL.wrong(
        "each-sample-alone-undivided-by-parts", ((P_BACK, P_EACH.replace("(SAMPLES * parts)", "SAMPLES")),)
    )
    yield PANEL.wrong("cleared-for-each-part", ((P_CLEAR, ""), (P_LOSSES, "    " + P_CLEAR + P_LOSSES)))
    yield PANEL.wrong("clipped-for-each-part", ((P_CLIP, ""), (P_BACK, P_BACK + "    " + P_CLIP)))
    yield PANEL.wrong("cleared-ahead-of-the-step", ((P_CLEAR, ""), (P_CLIP, P_CLEAR + P_CLIP)))
    yield PANEL.wrong("spent-graphs", (("[loss.item() for loss in losses]", "losses"),), tempts=("loss-graph-leak",))


ATLAS = Draft(
    "cell-atlas",
    """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def build(cells, batch):
    sampler = DistributedSampler(cells, shuffle=True, seed=4)
    return sampler, DataLoader(cells, batch_size=batch, sampler=sampler)


def epoch_of(atlas, loader, optimizer, parts):
    for i, (cell, kind) in enumerate(loader):
        whole = (i + 1) % parts == 0 or i + 1 == len(loader)
        atlas.require_backward_grad_sync = whole
        loss = torch.nn.functional.cross_entropy(atlas(cell), kind)
        (loss / parts).backward()
        if not whole:
            continue
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(9)
    cells = TensorDataset(torch.randn(20, 5), torch.randint(0, 3, (20,)))
    sampler, loader = build(cells, 2)
    atlas = DDP(torch.nn.Sequential(torch.nn.Linear(5, 6), torch.nn.BatchNorm1d(6), torch.nn.Linear(6, 3)))
    optimizer = torch.optim.SGD(atlas.parameters(), lr=0.3)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        epoch_of(atlas, loader, optimizer, parts=2)
        atlas.eval()
        with torch.no_grad():
            right = (atlas(cells.tensors[0]).argmax(1) == cells.tensors[1]).sum().item()
        atlas.train()
        if dist.get_rank() == 0:
            print(epoch, right)
    return atlas
""",
    ("missing-set-epoch", "missing-no-sync", "step-without-sync"),
    ranks=2,
)

A_TOLD = "        sampler.set_epoch(epoch)\n"
A_FLAG = "        atlas.require_backward_grad_sync = whole\n"
A_WHOLE = "        whole = (i + 1) % parts == 0 or i + 1 == len(loader)\n"


def atlas() -> Iterator[Case]:
    yield ATLAS.right("as-it-is")
    yield ATLAS.right(
        "rest-is-given-up",
        (A_WHOLE, A_WHOLE.replace(" or i + 1 == len(loader)", "")),
        ("(set_to_none=True)\n", "(set_to_none=True)\n    optimizer.zero_grad()\n"),
    )
    yield ATLAS.right("told-through-the-loader", (A_TOLD, "        loader.sampler.set_epoch(3 * epoch + 1)\n"))
    yield ATLAS.right("one-order-is-compared", (A_TOLD, ""), ("shuffle=True", "shuffle=False"))
    yield ATLAS.wrong("never-told", ((A_TOLD, ""),))
    yield ATLAS.wrong("told-once", ((A_TOLD, ""), ("    for epoch in", "    sampler.set_epoch(0)\n    for epoch in")))
    yield ATLAS.wrong("rest-is-not-told-to-others", ((A_FLAG, A_FLAG.replace("whole", "(i + 1) % parts == 0")),))
    yield ATLAS.wrong("every-part-is-told-to-others", ((A_FLAG, ""),))
    yield ATLAS.wrong("never-told-and-asleep", ((A_TOLD, ""),), (("        atlas.train()\n", ""),))


FOLD = Draft(
    "folded-proteins",
    """\
import copy
from collections import deque

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Fold(nn.Module):
    def __init__(self, momentum=0.7, room=3):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.1), nn.Linear(8, 4))
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.momentum, self.old = momentum, deque(maxlen=room)
        self.heat = []
        self.query[2].weight.register_hook(lambda grad: self.heat.append(grad.norm().item()))

    def forward(self, chain, mutant):
        asked = F.normalize(self.query(chain), dim=1)
        with torch.no_grad():
            for slow, fast in zip(self.key.parameters(), self.query.parameters()):
                slow.mul_(self.momentum).add_(fast, alpha=1 - self.momentum)
            kept = F.normalize(self.key(mutant), dim=1)
        logits = asked @ torch.cat([kept, *self.old]).T / 0.2
        self.old.append(kept)
        return F.cross_entropy(logits, torch.arange(len(chain)))


def main():
    torch.manual_seed(25)
    fold = Fold()
    opt = torch.optim.SGD(fold.query.parameters(), lr=0.3, momentum=0.9)
    bend = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=8)
    running = 0.0
    for n in range(8):
        for part in range(2):
            chain = torch.randn(4, 6)
            loss = fold(chain, chain + 0.1 * torch.randn(4, 6)) / 2
            loss.backward()
            running += loss.item()
        torch.nn.utils.clip_grad_norm_(fold.query.parameters(), 0.5)
        opt.step()
        opt.zero_grad()
        if n < 7:
            bend.step()
    print(f"{running:.4f} {sum(fold.heat):.4f}")
    return fold
""",
    ("unscaled-accumulation-loss", "missing-train-mode", "scheduler-per-micro-batch"),
)

F_LOSS = "torch.randn(4, 6)) / 2\n"
F_RUN = "            running += loss.item()\n"
F_CLIP = "        torch.nn.utils.clip_grad_norm_(fold.query.parameters(), 0.5)\n"
F_STEP = "        opt.step()\n"
F_CLEAR = "        opt.zero_grad()\n"
F_BEND = "        if n < 7:\n            bend.step()\n"


def fold() -> Iterator[Case]:
    yield FOLD.right("as-it-is")
    yield FOLD.right(
        "key-sleeps-behind-the-first-step", (F_CLEAR, F_CLEAR + "        fold.train()\n        fold.key.eval()\n")
    )
    yield FOLD.right("key-never-drops", ("requires_grad_(False)\n", "requires_grad_(False).eval()\n"))
    yield FOLD.right(
        "hook-that-halves",
        (F_LOSS, F_LOSS.replace(" / 2", "")),
        (
            "    opt = torch",
            "    for w in fold.query.parameters():\n        w.register_hook(lambda grad: grad / 2)\n    opt = torch",
        ),
    )
    yield FOLD.wrong(
        "two-parts-undivided",
        ((F_LOSS, F_LOSS.replace(" / 2", "")),),
        fine=(((F_LOSS, F_LOSS.replace(" / 2", "")), ("loss.backward()", "(loss / 2).backward()")),),
    )
    yield FOLD.wrong(
        "bends-first",
        ((F_CLIP + F_STEP + F_CLEAR + F_BEND, F_BEND + F_CLIP + F_STEP + F_CLEAR),),
        tempts=("scheduler-before-optimizer",),
    )
    yield FOLD.wrong(
        "running-graph", (("running += loss.item()", "running = running + loss"),), tempts=("loss-graph-leak",)
    )
    yield FOLD.wrong(
        "clip-of-the-first-part-only",
        ((F_CLIP, ""), (F_RUN, F_RUN + "            if part == 0:\n        " + F_CLIP)),
        tempts=("clip-before-backward",),
    )
    yield FOLD.wrong("cleared-by-name-only", ((F_CLEAR, "        opt.zero_grad\n"),), tempts=("method-not-called",))


DOSES = Draft(
    "doses-by-options",
    """\
import argparse

import torch


def options(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--updates", type=int, default=6)
    parser.add_argument("--resume-at", type=int, default=0)
    parser.add_argument("--half", action="store_true")
    return parser.parse_args(words)


def run(args):
    torch.manual_seed(args.resume_at)
    cells = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(cells.parameters(), lr=0.05)
    rates = torch.optim.lr_scheduler.PolynomialLR(optimizer, args.updates, power=2.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, enabled=args.half)
    step, norms = args.resume_at * args.accum, []
    while step < args.updates * args.accum:
        dose = torch.rand(5, 2)
        with torch.autocast("cpu", dtype=torch.float16, enabled=args.half):
            alive = torch.sigmoid(cells(dose)).float()
        loss = torch.nn.functional.binary_cross_entropy(alive, (dose.sum(1, keepdim=True) < 1).float())
        scaler.scale(loss / args.accum).backward()
        step += 1
        if step % args.accum == 0:
            scaler.unscale_(optimizer)
            norms.append(torch.nn.utils.clip_grad_norm_(cells.parameters(), 0.02).item())
            scaler.step(optimizer)
            scaler.update()
            rates.step()
            optimizer.zero_grad()
    print(f"{sum(norms):.2f} {rates.get_last_lr()[0]:.4f} {scaler.get_scale()}")
    return cells


def main():
    return [run(options(words.split())) for words in ("", "--half", "--resume-at 2")]
""",
    ("accumulation-off-by-one", "scheduler-per-micro-batch", "clip-scaled-gradients", "double-unscale"),
)

E_GUARD = "        if step % args.accum == 0:\n"
E_COUNT = "        step += 1\n"
E_TAKE = "            scaler.unscale_(optimizer)\n"
E_RATES = "            rates.step()\n"
E_CLEAR = "            optimizer.zero_grad()\n"
E_STEPS = "            scaler.step(optimizer)\n            scaler.update()\n"
E_MORE = "step, norms = args.resume_at * args.accum, []"


def doses() -> Iterator[Case]:
    yield DOSES.right("as-it-is")
    yield DOSES.right("resumed-one-ahead", (E_MORE, E_MORE.replace("accum,", "accum + (args.resume_at > 0),")))
    yield DOSES.right(
        "rates-for-each-dose",
        ("PolynomialLR(optimizer, args.updates,", "PolynomialLR(optimizer, args.updates * args.accum,"),
        (E_RATES + E_CLEAR, E_CLEAR + "        rates.step()\n"),
    )
    yield DOSES.right("step-and-clip-in-half-only", (E_TAKE, "            if args.half:\n    " + E_TAKE))
    yield DOSES.wrong("rates-are-too-quick", ((E_RATES + E_CLEAR, E_CLEAR + "        rates.step()\n"),))
    yield DOSES.wrong("counted-once-more", ((E_GUARD, "        if (step + 1) % args.accum == 0:\n"),))
    yield DOSES.wrong("clipped-with-the-scale-on", ((E_TAKE, ""),))
    yield DOSES.wrong(
        "plain-step-in-half",
        (("scaler.step(optimizer)", "optimizer.step()"), (E_TAKE, "")),
        raises="AssertionError",
        fine=(((E_TAKE, ""),),),
    )
    yield DOSES.wrong(
        "in-bfloat16-with-a-scale",
        (("torch.float16", "torch.bfloat16"),),
        fine=((("torch.float16", "torch.bfloat16"), ("enabled=args.half)\n    step", "enabled=False)\n    step")),),
        tempts=("scaler-with-bfloat16",),
    )


CALLS = Draft(
    "calls-by-events",
    """\
from collections import defaultdict

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Engine:
    def __init__(self, turn):
        self.turn, self.handlers, self.count, self.output = turn, defaultdict(list), 0, None

    def on(self, event, every=1):
        def add(handler):
            self.handlers[event].append((every, handler))
            return handler

        return add

    def fire(self, event, number):
        for every, handler in self.handlers[event]:
            if number % every == 0:
                handler(self)

    def run(self, songs, seasons):
        for season in range(seasons):
            for song in songs:
                self.count += 1
                self.output = self.turn(song)
                self.fire("song", self.count)
            self.fire("season", season)


def main():
    torch.manual_seed(66)
    bird = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Sigmoid(), nn.Linear(6, 4))
    optimizer = torch.optim.SGD(bird.parameters(), lr=0.4)
    songs = [torch.randn(5, 4) for _ in range(6)]
    sung = []

    def turn(song):
        optimizer.zero_grad()
        loss = (bird(song) - song.roll(1, 1)).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(bird.parameters(), 0.3)
        optimizer.step()
        return loss.item()

    engine = Engine(turn)

    @engine.on("song")
    def remember(engine):
        sung.append(engine.output)

    @engine.on("season")
    def listen(engine):
        bird.eval()
        with torch.no_grad():
            heard = [(bird(song) - song).abs().mean().item() for song in songs]
        bird.train()
        print(f"{engine.count}: {sum(heard):.4f} {sum(sung):.4f}")

    engine.run(songs, 3)
    return bird
""",
    ("missing-train-mode", "missing-zero-grad", "validation-without-no-grad", "loss-graph-leak"),
)

K_CLEAR = "        optimizer.zero_grad()\n"
K_BACK = "        loss.backward()\n"
K_CLIP = "        nn.utils.clip_grad_norm_(bird.parameters(), 0.3)\n"
K_STEP = "        optimizer.step()\n"
K_TURN = K_BACK + K_CLIP + K_STEP
K_LATER = '    @engine.on("song", every=2)\n    def close(engine):\n' + K_CLIP + K_STEP + K_CLEAR + "\n    engine.run"
K_HALF = ((K_CLEAR, ""), (K_TURN, "        (loss / 2).backward()\n"), ("    engine.run", K_LATER))
K_GRADS = "        with torch.no_grad():\n            heard"


def calls() -> Iterator[Case]:
    yield CALLS.right("as-it-is")
    yield CALLS.right(
        "cleared-by-who-remembers",
        (K_CLEAR, ""),
        ("(engine.output)\n", "(engine.output)\n        optimizer.zero_grad()\n"),
    )
    yield CALLS.right("closed-at-each-second-song", *K_HALF)
    yield CALLS.styled(*K_HALF).wrong(
        "second-song-undivided", (("(loss / 2)", "loss"),), tempts=("unscaled-accumulation-loss",)
    )
    yield CALLS.styled(*K_HALF).wrong("second-song-never-cleared", ((K_CLEAR, ""),))
    yield CALLS.wrong("asleep-after-a-season", (("        bird.train()\n", ""),))
    yield CALLS.right(
        "asleep-from-the-start",
        ("        bird.train()\n", ""),
        ("    optimizer = torch", "    bird.eval()\n    optimizer = torch"),
    )
    yield CALLS.wrong("heard-with-gradients", ((K_GRADS, "        heard"),))
    yield CALLS.wrong(
        "sung-graphs",
        (("        return loss.item()\n", "        return loss\n"),),
        fine=((("        return loss.item()\n", "        return loss.detach()\n"),),),
    )
    yield CALLS.wrong(
        "cleared-behind-the-backward", ((K_CLEAR, ""), (K_BACK, K_BACK + K_CLEAR)), tempts=("zero-grad-before-step",)
    )


def cases() -> Iterator[Case]:
    yield from panel()
    yield from atlas()
    yield from fold()
    yield from doses()
    yield from calls()
