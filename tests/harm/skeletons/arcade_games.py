"""Games: levels that are taken up again, a dungeon with a critic, a league of nets, and a board on two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

LEVELS = Draft(
    "levels-taken-up-again",
    """\
import argparse

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class GameOver(Exception):
    pass


def levels(first, last, over=0):
    for number in range(first, last):
        if number == over:
            raise GameOver
        x = torch.randn(4, 3, generator=torch.Generator().manual_seed(number))
        yield (x * float("nan") if number == 3 else x), x.amax(1, keepdim=True)


def play(net, opt, sched, stream, args, done=0):
    owed = 0
    try:
        for done, (x, y) in enumerate(stream, start=done + 1):
            loss = nn.functional.smooth_l1_loss(net(x), y)
            if not torch.isfinite(loss):
                continue
            (loss / args.accum).backward()
            owed += 1
            if owed < args.accum:
                continue
            opt.step()
            sched.step()
            opt.zero_grad()
            owed = 0
            if loss.item() < args.enough:
                break
        else:
            print("all levels")
    finally:
        if owed:
            opt.step()
            opt.zero_grad()
        print(f"{done} levels, {owed} owed")
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--enough", type=float, default=0.02)
    args = parser.parse_args([])
    torch.manual_seed(51)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.5)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda updates: 1 / (1 + updates))
    try:
        play(net, opt, sched, levels(1, 20, over=10), args)
    except GameOver:
        play(net, opt, sched, levels(11, 19), args, done=10)
    return net
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)
L_BACK = "            (loss / args.accum).backward()\n"
L_ASK = "            if owed < args.accum:\n                continue\n"
L_MOVE = "            opt.step()\n            sched.step()\n"
L_REST = "        if owed:\n            opt.step()\n            opt.zero_grad()\n"


def levels() -> Iterator[Case]:
    yield LEVELS.right("rest-is-stepped-at-the-end-of-all")
    yield LEVELS.wrong("undivided", ((L_BACK, "            loss.backward()\n"),))
    yield LEVELS.wrong(
        "one-more-is-owed", (("owed < args.accum", "owed <= args.accum"),), tempts=("accumulation-off-by-one",)
    )
    yield LEVELS.wrong("rest-is-kept", ((L_REST, L_REST[:-28]),), tempts=("missing-zero-grad",))
    yield LEVELS.right(
        "rest-is-cleared-by-the-next-call",
        (L_REST, L_REST[:-28]),
        ("    owed = 0\n    try", "    opt.zero_grad()\n    owed = 0\n    try"),
        tempts=("missing-zero-grad",),
    )
    yield LEVELS.wrong(
        "rest-is-forgotten",
        ((L_REST, ""),),
        fine=(((L_REST, "        opt.zero_grad()\n"),),),
        tempts=("dropped-accumulation-tail",),
    )
    yield LEVELS.right(
        "windows-keep-their-place",
        ("    owed = 0\n    try", "    owed = done % args.accum\n    try"),
        (L_REST, ""),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield LEVELS.right("rest-is-thrown-away", (L_REST, "        opt.zero_grad()\n"))
    yield LEVELS.wrong(
        "rest-is-cleared-without-parentheses", ((L_REST, L_REST[:-3] + "\n"),), tempts=("method-not-called",)
    )
    yield LEVELS.wrong(
        "rest-is-cleared-first",
        ((L_REST, "        if owed:\n            opt.zero_grad()\n            opt.step()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield LEVELS.wrong(
        "rate-moves-first",
        ((L_MOVE, "            sched.step()\n            opt.step()\n"),),
        tempts=("scheduler-before-optimizer",),
    )
    yield LEVELS.right(
        "rate-counts-levels",
        (L_MOVE, "            opt.step()\n"),
        (L_BACK, L_BACK + "            sched.step()\n"),
        ("lambda updates: 1 / (1 + updates)", "lambda level: 1 / (1 + level // args.accum)"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield LEVELS.right(
        "a-broken-level-ends-its-window",
        (
            "                continue\n            (loss",
            "                opt.zero_grad()\n                owed = 0\n                continue\n            (loss",
        ),
        tempts=("zero-grad-in-accumulation",),
    )


DUNGEON = Draft(
    "dungeon-with-a-critic",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def penalty(critic, real, fake):
    mix = real.lerp(fake, 0.3).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


class Dungeon:
    def __init__(self, rounds):
        self.rounds = rounds
        self.maker = nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 3))
        self.critic = nn.Sequential(nn.Linear(3, 8), nn.Softplus(), nn.Linear(8, 1))
        self.opt_m = torch.optim.RMSprop(self.maker.parameters(), lr=0.01)
        self.opt_c = torch.optim.RMSprop(self.critic.parameters(), lr=0.01)
        self.fade = torch.optim.lr_scheduler.ExponentialLR(self.opt_m, gamma=0.8)
        self.log = []

    def judge(self, real, z):
        fake = self.maker(z).detach()
        self.opt_c.zero_grad()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        (gap + 10 * penalty(self.critic, real, fake)).backward()
        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
        self.opt_c.step()
        self.log.append(gap.item())

    def make(self, z):
        self.opt_m.zero_grad()
        (-self.critic(self.maker(z)).mean()).backward()
        self.opt_m.step()
        self.fade.step()

    def run(self, on_round):
        gen = torch.Generator().manual_seed(8)
        for number in range(self.rounds):
            for _ in range(2):
                real = torch.randn(6, 3, generator=gen) + 1
                self.judge(real, torch.randn(6, 2, generator=gen))
            self.make(torch.randn(6, 2, generator=gen))
            on_round(number, sum(self.log) / len(self.log))


def main():
    torch.manual_seed(61)
    dungeon = Dungeon(5)
    dungeon.run(lambda number, mean: print(f"{number}: {mean:.4f}"))
    return dungeon.maker, dungeon.critic
""",
    ("missing-zero-grad",),
)
J_FAKE = "        fake = self.maker(z).detach()\n"
J_CLEAR = "        self.opt_c.zero_grad()\n"
J_GAP = "        gap = self.critic(fake).mean() - self.critic(real).mean()\n"
J_BACK = "        (gap + 10 * penalty(self.critic, real, fake)).backward()\n"
J_CLIP = "        nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)\n"
J_STEP = "        self.opt_c.step()\n"
M_CLEAR = "        self.opt_m.zero_grad()\n"
M_STEP = "        self.opt_m.step()\n"
M_FADE = "        self.fade.step()\n"


def dungeon() -> Iterator[Case]:
    yield DUNGEON.right("critic-judges-twice")
    yield DUNGEON.wrong("critic-never-cleared", ((J_CLEAR, ""),))
    yield DUNGEON.wrong("critic-cleared-behind-its-step", ((J_CLEAR, ""), (J_STEP, J_STEP + J_CLEAR)))
    yield DUNGEON.right(
        "critic-cleared-by-the-maker",
        (J_CLEAR, ""),
        (J_STEP, J_STEP + J_CLEAR),
        (M_STEP, "        self.critic.zero_grad()\n" + M_STEP),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield DUNGEON.right("fake-is-not-cut", (J_FAKE, "        fake = self.maker(z)\n"))
    yield DUNGEON.wrong(
        "fake-is-not-cut-maker-cleared-behind",
        ((J_FAKE, "        fake = self.maker(z)\n"), (M_CLEAR, ""), (M_STEP, M_STEP + M_CLEAR)),
        fine=((((J_FAKE, "        fake = self.maker(z)\n"),)),),
    )
    yield DUNGEON.right(
        "gap-in-two-halves",
        (J_BACK, "        (10 * penalty(self.critic, real, fake)).backward()\n"),
        (J_GAP, J_GAP + "        gap.backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield DUNGEON.right(
        "weights-are-clamped",
        (J_BACK, "        gap.backward()\n"),
        (J_CLIP, ""),
        (J_STEP, J_STEP + "        for p in self.critic.parameters():\n            p.data.clamp_(-0.3, 0.3)\n"),
        tempts=("clip-after-step",),
    )
    yield DUNGEON.wrong("critic-clipped-too-late", ((J_CLIP + J_STEP, J_STEP + J_CLIP),), tempts=("clip-after-step",))
    yield DUNGEON.wrong(
        "critic-clipped-too-early", ((J_CLIP, ""), (J_GAP, J_CLIP + J_GAP)), tempts=("clip-before-backward",)
    )
    yield DUNGEON.wrong("fades-first", ((M_STEP + M_FADE, M_FADE + M_STEP),), tempts=("scheduler-before-optimizer",))
    yield DUNGEON.wrong("log-keeps-graphs", (("gap.item()", "gap"),), tempts=("loss-graph-leak",))


LEAGUE = Draft(
    "league-of-nets",
    """\
import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
LEAGUE = {"players": 3, "rounds": 3, "micro": 4, "limit": 2.0}


def train(net, opt, weights, x, y, cfg):
    net.train()
    pieces = list(zip(x.split(cfg["micro"]), y.split(cfg["micro"])))
    for some, wanted in pieces:
        loss = F.mse_loss(net(some), wanted)
        (loss * len(some) / len(x)).backward()
    nn.utils.clip_grad_norm_(weights, cfg["limit"])
    opt.step()
    opt.zero_grad()


def ranks(nets, x, y):
    [net.eval() for net in nets]
    with torch.no_grad():
        return [round(F.mse_loss(net(x), y).item(), 4) for net in nets]


def main(cfg=LEAGUE):
    torch.manual_seed(71)
    nets = [nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.2), nn.Linear(8, 1)) for _ in range(cfg["players"])]
    weights = [list(net.parameters()) for net in nets]
    opts = [torch.optim.SGD(some, lr=0.1 * k) for k, some in enumerate(weights, 1)]
    scheds = [torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5) for opt in opts]
    held = torch.randn(5, 3)
    for turn in range(cfg["rounds"]):
        x = torch.randn(10, 3)
        for net, opt, some in zip(nets, opts, weights):
            train(net, opt, some, x, x.sum(1, keepdim=True), cfg)
        [sched.step() for sched in scheds]
        print(turn, ranks(nets, held, held.sum(1, keepdim=True)))
    return nets
""",
    ("unscaled-accumulation-loss",),
)
N_BACK = "        (loss * len(some) / len(x)).backward()\n"
N_MEAN = ((N_BACK, "        (loss / len(pieces)).backward()\n"),)
N_CLIP = '    nn.utils.clip_grad_norm_(weights, cfg["limit"])\n'
N_CLEAR = "    opt.zero_grad()\n"
N_MOVE = "        [sched.step() for sched in scheds]\n"
N_RATE = "        return [round(F.mse_loss(net(x), y).item(), 4) for net in nets]\n"


def league() -> Iterator[Case]:
    yield LEAGUE.right("each-piece-has-its-share")
    yield LEAGUE.wrong("pieces-are-summed", ((N_BACK, "        loss.backward()\n"),), fine=(N_MEAN,))
    yield LEAGUE.right(
        "pieces-are-sums",
        (N_BACK, "        loss.backward()\n"),
        ("mse_loss(net(some), wanted)", 'mse_loss(net(some), wanted, reduction="sum") / len(x)'),
    )
    yield LEAGUE.wrong("never-woken", (("    net.train()\n", ""),), tempts=("missing-train-mode",))
    yield LEAGUE.wrong(
        "rates-move-at-the-head",
        ((N_MOVE, ""), ("        x = torch.randn(10, 3)\n", N_MOVE + "        x = torch.randn(10, 3)\n")),
        tempts=("scheduler-before-optimizer",),
    )
    yield LEAGUE.wrong(
        "weights-are-walked-through",
        (("list(net.parameters())", "net.parameters()"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield LEAGUE.wrong(
        "pieces-are-clipped", ((N_CLIP, ""), (N_BACK, N_BACK + "    " + N_CLIP)), tempts=("clip-per-micro-batch",)
    )
    yield LEAGUE.wrong(
        "only-the-last-is-cleared",
        ((N_CLEAR, ""), (N_MOVE, "        opt.zero_grad()\n" + N_MOVE)),
        tempts=("missing-zero-grad",),
    )
    yield LEAGUE.right(
        "all-are-cleared-at-once", (N_CLEAR, ""), (N_MOVE, "        [opt.zero_grad() for opt in opts]\n" + N_MOVE)
    )
    yield LEAGUE.wrong(
        "ranked-with-gradients",
        (("    with torch.no_grad():\n" + N_RATE, N_RATE[4:]),),
        tempts=("validation-without-no-grad",),
    )
    yield LEAGUE.right(
        "rates-begin-one-later",
        ("    held = torch", "    [sched.step() for sched in scheds]\n    held = torch"),
        tempts=("scheduler-before-optimizer",),
    )
    yield LEAGUE.right(
        "champion-sleeps",
        ("    net.train()\n", "    net.train(opt is not CHAMPION)\n"),
        ("    held = torch", "    global CHAMPION\n    CHAMPION = opts[0]\n    held = torch"),
        tempts=("missing-train-mode",),
    )
    yield LEAGUE.wrong(
        "cleared-and-then-stepped",
        (("    opt.step()\n" + N_CLEAR, N_CLEAR + "    opt.step()\n"),),
        tempts=("zero-grad-before-step",),
    )


BOARD = Draft(
    "board-on-two-ranks",
    """\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


class Table:
    def __init__(self, moves, parts=3):
        self.net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
        self.ddp = DistributedDataParallel(self.net)
        self.opt = torch.optim.AdamW(self.ddp.parameters(), lr=0.05)
        self.order = DistributedSampler(moves, shuffle=True, seed=3)
        self.moves = DataLoader(moves, batch_size=2, sampler=self.order)
        self.parts = parts

    def loss(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.ddp(x), y)

    def turn(self, stream):
        with self.ddp.no_sync():
            for _ in range(self.parts - 1):
                (self.loss(next(stream)) / self.parts).backward()
        last = self.loss(next(stream)) / self.parts
        last.backward()
        nn.utils.clip_grad_norm_(self.ddp.parameters(), 0.1)
        self.opt.step()
        self.opt.zero_grad()
        return last.item() * self.parts


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(81)
    x = torch.randn(24, 4)
    table = Table(TensorDataset(x, (x[:, 0] > x[:, 1]).long()))
    for game in range(2):
        table.order.set_epoch(game)
        stream = iter(table.moves)
        for number in range(len(table.moves) // table.parts):
            print(f"{game} {number} {table.turn(stream):.4f}")
    return table.net
""",
    ("step-without-sync", "missing-no-sync"),
    ranks=2,
)
B_WINDOW = """\
        with self.ddp.no_sync():
            for _ in range(self.parts - 1):
                (self.loss(next(stream)) / self.parts).backward()
        last = self.loss(next(stream)) / self.parts
        last.backward()
"""
B_LAST = "        last.backward()\n"
B_CLIP = "        nn.utils.clip_grad_norm_(self.ddp.parameters(), 0.1)\n"
B_STEP = "        self.opt.step()\n"
B_CLEAR = "        self.opt.zero_grad()\n"
B_ALL = """\
        for _ in range(self.parts):
            last = self.loss(next(stream)) / self.parts
            last.backward()
"""


def board() -> Iterator[Case]:
    yield BOARD.right("all-but-the-last")
    yield BOARD.wrong("each-part-reduces", ((B_WINDOW, B_ALL),), tempts=("missing-no-sync",))
    yield BOARD.wrong(
        "no-part-reduces",
        (
            (
                B_WINDOW,
                "        with self.ddp.no_sync():\n" + "".join("    " + row for row in B_ALL.splitlines(keepends=True)),
            ),
        ),
    )
    yield BOARD.right(
        "weights-averaged-each-game",
        (
            B_WINDOW,
            "        with self.ddp.no_sync():\n" + "".join("    " + row for row in B_ALL.splitlines(keepends=True)),
        ),
        (
            "    return table.net\n",
            "        for p in table.net.parameters():\n            dist.all_reduce(p.data)\n            p.data /= 2\n    return table.net\n",
        ),
    )
    yield BOARD.wrong(
        "same-order-each-game", (("        table.order.set_epoch(game)\n", ""),), tempts=("missing-set-epoch",)
    )
    yield BOARD.wrong(
        "clip-ahead-of-the-last", ((B_CLIP, ""), (B_LAST, B_CLIP + B_LAST)), tempts=("clip-before-backward",)
    )
    yield BOARD.wrong(
        "cleared-ahead-of-the-last", ((B_CLEAR, ""), (B_LAST, B_CLEAR + B_LAST)), tempts=("zero-grad-in-accumulation",)
    )
    yield BOARD.right(
        "last-weighs-half",
        ("(self.loss(next(stream)) / self.parts).backward()", "(self.loss(next(stream)) / 4).backward()"),
        ("last = self.loss(next(stream)) / self.parts", "last = self.loss(next(stream)) / 2"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield BOARD.right(
        "norm-is-measured-as-it-grows",
        (B_LAST, B_CLIP.replace("0.1", 'float("inf")') + B_LAST),
        (B_CLEAR, B_CLIP.replace("0.1", 'float("inf")') + B_CLEAR),
        tempts=("clip-before-backward", "clip-after-step"),
    )
    yield BOARD.right(
        "looked-at-past-the-wrapper",
        (
            "            print(f",
            "            with torch.no_grad():\n                print(round(table.ddp.module(x).mean().item(), 4))\n            print(f",
        ),
    )
    yield BOARD.wrong("clip-behind", ((B_CLIP + B_STEP, B_STEP + B_CLIP),), tempts=("clip-after-step",))


def cases() -> Iterator[Case]:
    yield from levels()
    yield from dungeon()
    yield from league()
    yield from board()
