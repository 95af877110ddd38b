"""Reading rooms: two readers, a catalogue in bfloat16, a bindery that waits, a returns desk, and overdue books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

READERS = Draft(
    "two-readers",
    """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
START, TURNS, PASSES = 1, 3, 2


def read(model, loader, opt):
    for page, note in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(page), note)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(19)
    pages = torch.randn(16, 3)
    shelf = TensorDataset(pages, pages.exp().mean(1, keepdim=True))
    sampler = DistributedSampler(shelf, shuffle=True, seed=2)
    loader = DataLoader(shelf, batch_size=3, sampler=sampler)
    model = DDP(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)))
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)
    for turn in range(START, TURNS):
        for again in range(PASSES):
            sampler.set_epoch(turn * PASSES + again)
            read(model, loader, opt)
        decay.step()
    return model
""",
    ("missing-set-epoch",),
    ranks=2,
)

R_SET = "            sampler.set_epoch(turn * PASSES + again)\n"
R_TURN = "    for turn in range(START, TURNS):\n"
R_PASS = "        for again in range(PASSES):\n" + R_SET + "            read(model, loader, opt)\n"
R_ONCE = "        sampler.set_epoch(turn)\n        read(model, loader, opt)\n"
R_COUNTING = """\
class Counting(DistributedSampler):
    def __iter__(self):
        self.epoch += 1
        return super().__iter__()


"""


def readers() -> Iterator[Case]:
    yield READERS.right("as-it-is")
    yield READERS.right("never-shuffled", (R_SET, ""), ("shuffle=True, seed=2", "shuffle=False"))
    yield READERS.right("told-through-the-loader", (R_SET, R_SET.replace("sampler", "loader.sampler")))
    yield READERS.right(
        "counts-for-itself",
        (R_SET, ""),
        ("def read(", R_COUNTING + "def read("),
        ("    sampler = DistributedSampler(", "    sampler = Counting("),
    )
    yield READERS.wrong("passes-in-one-order", ((R_SET, ""),), tempts=("missing-set-epoch",))
    yield READERS.wrong(
        "told-ahead-of-the-turns",
        ((R_SET, ""), (R_TURN, "    sampler.set_epoch(START)\n" + R_TURN)),
        tempts=("missing-set-epoch",),
    )
    yield READERS.styled((R_PASS, R_ONCE)).wrong(
        "turns-in-one-order-and-decay-first",
        (("        sampler.set_epoch(turn)\n", ""),),
        (("        decay.step()\n", ""), (R_TURN, R_TURN + "        decay.step()\n")),
        tempts=("missing-set-epoch", "scheduler-before-optimizer"),
    )
    yield READERS.wrong("notes-never-wiped", (("        opt.zero_grad()\n", ""),), tempts=("missing-zero-grad",))


CATALOGUE = Draft(
    "catalogue-in-bfloat16",
    """\
import torch
from torch import nn


def whiten(weights, mix):
    for weight in weights:
        weight.grad = (mix @ weight.grad).float()


def main():
    torch.manual_seed(13)
    net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 8))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3, enabled=False)
    matrices = [net[0].weight, net[2].weight]
    mix = torch.eye(8) + 0.2 * torch.rand(8, 8)
    cards = torch.randn(8, 5, 6)
    marks = cards.sum(2).long() % 8
    found = 0.0
    for card, mark in zip(cards, marks):
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(card), mark)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        whiten(matrices, mix)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        found += loss.item()
    print(f"{found:.3f} at {opt.param_groups[0]['lr']:.2f}")
    return net
""",
    ("backward-in-autocast", "scaler-with-bfloat16"),
)

C_BACK = "        scaler.scale(loss).backward()\n"
C_UNSCALE = "        scaler.unscale_(opt)\n"
C_WHITEN = "        whiten(matrices, mix)\n"
C_SCALED = (", enabled=False)", ")")


def inside(lines: str) -> str:
    return "".join("    " + line for line in lines.splitlines(keepends=True))


C_INSIDE = (C_BACK + C_UNSCALE + C_WHITEN, inside(C_BACK + C_UNSCALE + C_WHITEN))


def catalogue() -> Iterator[Case]:
    yield CATALOGUE.right("as-it-is")
    yield CATALOGUE.right(
        "scaler-asks-for-the-type",
        (", enabled=False)", ", enabled=KIND == torch.float16)"),
        ("dtype=torch.bfloat16", "dtype=KIND"),
        ("from torch import nn\n", "from torch import nn\n\nKIND = torch.bfloat16\n"),
    )
    yield CATALOGUE.right("in-plain-floats", C_SCALED, ('("cpu", dtype=torch.bfloat16)', '("cpu", enabled=False)'))
    yield CATALOGUE.right(
        "another-context-around-the-backward",
        (C_BACK + C_UNSCALE, "        with torch.autograd.set_detect_anomaly(True):\n" + inside(C_BACK + C_UNSCALE)),
    )
    yield CATALOGUE.wrong("whitened-in-bfloat16", (C_INSIDE,), tempts=("backward-in-autocast",))
    yield CATALOGUE.wrong("scaled-for-nothing", (C_SCALED,), tempts=("scaler-with-bfloat16",))
    yield CATALOGUE.wrong(
        "scaled-and-whitened-within", (C_SCALED,), (C_INSIDE,), tempts=("backward-in-autocast", "scaler-with-bfloat16")
    )
    yield CATALOGUE.wrong(
        "clipped-behind-the-scaler",
        (
            (
                "        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n        scaler.step(opt)\n",
                "        scaler.step(opt)\n        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n",
            ),
        ),
        tempts=("clip-after-step",),
    )


BINDERY = Draft(
    "bindery-that-waits",
    """\
from contextlib import contextmanager

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


@contextmanager
def press(opt, net):
    opt.zero_grad()
    try:
        yield
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.4)
        opt.step()
    finally:
        opt.zero_grad()


def binder(net, opt, parts):
    spent = None
    while True:
        pages, edge = yield spent
        spent = 0.0
        with press(opt, net):
            for page, cut in zip(pages.chunk(parts), edge.chunk(parts)):
                loss = F.mse_loss(net(page), cut)
                (loss / parts).backward()
                spent += loss.item()


def main():
    torch.manual_seed(23)
    net = torch.nn.Sequential(torch.nn.Linear(3, 6), torch.nn.Softsign(), torch.nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.3)
    wear = torch.optim.lr_scheduler.LambdaLR(opt, lambda worn: 0.8**worn)
    work = binder(net, opt, 3)
    next(work)
    for shift in range(3):
        for pages in torch.randn(4, 9, 3):
            spent = work.send((pages, 2 * pages.prod(1, keepdim=True)))
            if spent > 1e6:
                break
        else:
            wear.step()
        print(f"{shift}: {spent / 3:.4f}")
    work.close()
    return net
""",
    ("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)

B_CLIP = "        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.4)\n"
B_LOSS = "                loss = F"
B_TRY = "    opt.zero_grad()\n    try:\n"


def bindery() -> Iterator[Case]:
    yield BINDERY.right("as-it-is")
    yield BINDERY.right(
        "each-page-is-measured",
        (
            "                spent += loss.item()\n",
            (
                "                spent += loss.item()\n"
                '                torch.nn.utils.clip_grad_norm_(net.parameters(), float("inf"))\n'
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield BINDERY.right("wiped-once-is-enough", (B_TRY, "    try:\n"))
    yield BINDERY.right(
        "parts-by-their-pages",
        ("(loss / parts)", "(loss * len(page) / len(pages))"),
        (".chunk(parts), edge.chunk(parts)", ".split(4), edge.split(4)"),
    )
    yield BINDERY.wrong(
        "press-cuts-behind",
        ((B_CLIP + "        opt.step()\n", "        opt.step()\n" + B_CLIP),),
        tempts=("clip-after-step",),
    )
    yield BINDERY.wrong(
        "press-cuts-in-advance",
        ((B_CLIP, ""), ("        yield\n", B_CLIP + "        yield\n")),
        tempts=("clip-before-backward",),
    )
    yield BINDERY.wrong(
        "each-page-wipes",
        ((B_LOSS, "                opt.zero_grad()\n" + B_LOSS),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BINDERY.wrong("pages-are-summed", (("(loss / parts)", "loss"),), tempts=("unscaled-accumulation-loss",))


DESK = Draft(
    "returns-desk-that-gives-up",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
CONFIG = {"lr": 0.3, "patience": 2, "epochs": 8, "clip": 0.5}


def score(net, held):
    net.eval()
    with torch.no_grad():
        return torch.stack([nn.functional.l1_loss(net(book), fee) for book, fee in held]).mean()


def main():
    torch.manual_seed(41)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=CONFIG["lr"], weight_decay=0.01)
    ease = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0)
    books = [(book, book.amax(1, keepdim=True)) for book in torch.randn(7, 6, 4)]
    best, kept, bad, log = float("inf"), net.state_dict(), 0, []
    for epoch in range(CONFIG["epochs"]):
        net.train()
        for book, fee in books[:5]:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(book), fee)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), CONFIG["clip"])
            opt.step()
            log.append(loss.item())
        ease.step(late := score(net, books[5:]).item())
        if late < best - 1e-2:
            best, kept, bad = late, copy.deepcopy(net.state_dict()), 0
        elif (bad := bad + 1) >= CONFIG["patience"]:
            print(f"gave up at {epoch}")
            break
    else:
        print("never gave up")
    print(f"{best:.4f} {sum(log[-5:]) / 5:.4f}")
    net.load_state_dict(kept)
    return net
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

D_SCORE = """\
    net.eval()
    with torch.no_grad():
        return torch.stack([nn.functional.l1_loss(net(book), fee) for book, fee in held]).mean()
"""
D_LOUD = D_SCORE.replace("    with torch.no_grad():\n        return", "    return")
D_WIPE = "            opt.zero_grad()\n"
D_CLIP = '            nn.utils.clip_grad_norm_(net.parameters(), CONFIG["clip"])\n'


def desk() -> Iterator[Case]:
    yield DESK.right("as-it-is")
    yield DESK.right(
        "weights-are-held-in-bounds",
        ("            opt.step()\n", "            opt.step()\n            net.apply(bound)\n"),
        (
            "def main():\n",
            (
                "@torch.no_grad()\ndef bound(part):\n    if isinstance(part, nn.Linear):\n"
                "        part.weight.clamp_(-0.4, 0.4)\n\n\ndef main():\n"
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield DESK.right(
        "mode-is-put-back",
        ("        net.train()\n", ""),
        (
            D_SCORE,
            "    was = net.training\n"
            + D_SCORE.replace("        return torch", "        late = torch")
            + "    net.train(was)\n    return late\n",
        ),
    )
    yield DESK.right(
        "asleep-all-along", ("        net.train()\n", ""), ("    books = [", "    net.eval()\n    books = [")
    )
    yield DESK.wrong("never-woken-again", (("        net.train()\n", ""),), tempts=("missing-train-mode",))
    yield DESK.wrong("scored-with-graphs", ((D_SCORE, D_LOUD),), tempts=("validation-without-no-grad",))
    yield DESK.wrong("scored-in-name-only", (("    net.eval()\n", "    net.eval\n"),), tempts=("method-not-called",))
    yield DESK.wrong(
        "wiped-once-an-epoch",
        ((D_WIPE, ""), ("        net.train()\n", "        net.train()\n        opt.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )


OVERDUE = Draft(
    "overdue-books-twice",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def climb(weights, reach):
    size = torch.stack([weight.grad.norm() for weight in weights]).norm()
    moves = [weight.grad * (reach / size) for weight in weights]
    with torch.no_grad():
        for weight, move in zip(weights, moves):
            weight.add_(move)
    return moves


def descend(weights, moves):
    with torch.no_grad():
        for weight, move in zip(weights, moves):
            weight.sub_(move)


def main():
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid(), nn.Linear(6, 1))
    weights = list(net.parameters())
    opt = torch.optim.SGD(weights, lr=0.5, momentum=0.4)
    plan = torch.optim.lr_scheduler.MultiStepLR(opt, [4, 8], gamma=0.5)
    worst = []
    for day in range(12):
        gen = torch.Generator().manual_seed(day)
        book = torch.randn(5, 3, generator=gen)
        fine = 3 * book.abs().amin(1, keepdim=True)
        nn.functional.mse_loss(net(book), fine).backward()
        moves = climb(weights, 0.2)
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(book), fine)
        loss.backward()
        descend(weights, moves)
        nn.utils.clip_grad_norm_(weights, 0.5)
        opt.step()
        plan.step()
        opt.zero_grad()
        worst.append(loss.item())
    print(f"{worst[0]:.4f} {worst[-1]:.4f}")
    return net
""",
    ("zero-grad-in-accumulation", "missing-zero-grad"),
)

V_CLIMB = "        moves = climb(weights, 0.2)\n"
V_CLIP = "        nn.utils.clip_grad_norm_(weights, 0.5)\n"
V_STEP = "        opt.step()\n"
V_PLAN = "        plan.step()\n"
V_ALL = V_CLIP + V_STEP + V_PLAN
V_WIPE = "        opt.zero_grad()\n"


def overdue() -> Iterator[Case]:
    yield OVERDUE.right("as-it-is")
    yield OVERDUE.right(
        "climbs-every-other-day", (V_CLIMB + V_WIPE, "        moves = climb(weights, 0.2 * (day % 2))\n" + V_WIPE)
    )
    yield OVERDUE.right(
        "mean-of-both-heights",
        (V_CLIMB + V_WIPE, V_CLIMB),
        (V_CLIP, "        for weight in weights:\n            weight.grad /= 2\n" + V_CLIP),
    )
    yield OVERDUE.right(
        "first-slope-by-itself",
        (V_CLIMB + V_WIPE, V_CLIMB),
        ("    return moves", "    for weight in weights:\n        weight.grad = None\n    return moves"),
    )
    yield OVERDUE.wrong("first-slope-comes-back", ((V_PLAN + V_WIPE, V_PLAN),), tempts=("missing-zero-grad",))
    yield OVERDUE.wrong(
        "clip-and-rate-turned-round",
        ((V_ALL, V_PLAN + V_STEP + V_CLIP),),
        fine=(((V_ALL, V_PLAN + V_CLIP + V_STEP),), ((V_ALL, V_STEP + V_PLAN + V_CLIP),)),
        tempts=("clip-after-step", "scheduler-before-optimizer"),
    )
    yield OVERDUE.wrong(
        "wiped-ahead-of-the-step",
        ((V_PLAN + V_WIPE, V_PLAN), (V_CLIP, V_CLIP + V_WIPE)),
        tempts=("zero-grad-before-step",),
    )
    yield OVERDUE.wrong(
        "only-the-climb-is-clipped", ((V_CLIP, ""), (V_CLIMB, V_CLIP + V_CLIMB)), tempts=("clip-before-backward",)
    )


def cases() -> Iterator[Case]:
    yield from readers()
    yield from catalogue()
    yield from bindery()
    yield from desk()
    yield from overdue()
