"""Aircraft tails by LBFGS, trucks with options, thawing retinas, a board game's replay, a furnace's penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TAIL = Draft(
    "tail-assembly",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Rig:
    def __init__(self, rivets):
        self.skin = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
        self.rivets = rivets
        self.calls = 0

    def closure(self, opt, rows):
        def again():
            self.calls += 1
            opt.zero_grad()
            loss = 0.0
            for x, y in rows:
                part = nn.functional.mse_loss(self.skin(x), y) / len(rows)
                part.backward()
                loss += part.item()
            nn.utils.clip_grad_norm_(self.skin.parameters(), 0.3)
            return loss

        return again

    def rough(self, turns=6, group=2):
        opt = torch.optim.Adam(self.skin.parameters(), lr=0.03)
        for turn in range(turns):
            x, y = self.rivets[turn % len(self.rivets)]
            loss = nn.functional.mse_loss(self.skin(x), y)
            (loss / group).backward()
            if turn % group == group - 1:
                opt.step()
                opt.zero_grad()

    def fine(self, turns=3):
        opt = torch.optim.LBFGS(self.skin.parameters(), lr=0.5, max_iter=4)
        for _ in range(turns):
            print(f"{float(opt.step(self.closure(opt, self.rivets))):.5f}")


def main():
    torch.manual_seed(1)
    rig = Rig([(torch.randn(5, 3), torch.randn(5, 1)) for _ in range(4)])
    rig.rough()
    rig.fine()
    print(rig.calls)
    return rig.skin
""",
    ("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)
A_CLEAR = "            opt.zero_grad()\n            loss = 0.0\n"
A_CLIP = "            nn.utils.clip_grad_norm_(self.skin.parameters(), 0.3)\n"
A_PART = "                part.backward()\n"
A_DIV = " / len(rows)"
A_GUARD = "            if turn % group == group - 1:\n"
A_BACK = "            (loss / group).backward()\n"


def tail() -> Iterator[Case]:
    yield TAIL.right("rough-and-fine")
    yield TAIL.right("sum-of-rows", (A_DIV, ""))
    yield TAIL.right(
        "one-backward-of-all-rows",
        (A_PART, ""),
        ("loss += part.item()", "loss += part"),
        (A_CLIP, "            loss.backward()\n" + A_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield TAIL.wrong("closure-never-clears", ((A_CLEAR, "            loss = 0.0\n"),), tempts=("missing-zero-grad",))
    yield TAIL.wrong(
        "closure-clears-with-each-row",
        ((A_CLEAR, "            loss = 0.0\n"), (A_PART, "                opt.zero_grad()\n" + A_PART)),
    )
    yield TAIL.wrong(
        "rough-starts-alone-and-is-a-sum",
        ((A_GUARD, "            if turn % group == 0:\n"),),
        ((A_BACK, "            loss.backward()\n"),),
        tempts=("accumulation-off-by-one", "unscaled-accumulation-loss"),
    )
    yield TAIL.wrong(
        "clip-in-front-of-the-rows",
        ((A_CLIP, ""), (A_CLEAR, A_CLEAR + A_CLIP)),
        tempts=("clip-before-backward",),
    )


TRUCK = Draft(
    "truck-platoon",
    """\
import argparse
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class State:
    net: nn.Module
    opt: torch.optim.Optimizer
    sched: torch.optim.lr_scheduler.LRScheduler
    micro: int = 0
    log: list = field(default_factory=list)


def options(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gather", type=int, default=4)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--max-norm", type=float, default=0.4)
    return parser.parse_args(words)


def convoy(epoch, count):
    gen = torch.Generator().manual_seed(epoch)
    for _ in range(count):
        gaps = torch.rand(4, 3, generator=gen)
        yield gaps, gaps.prod(1, keepdim=True) * 4


def micro_step(state, gaps, brake, args):
    loss = nn.functional.mse_loss(state.net(gaps), brake)
    (loss / args.gather).backward()
    state.micro += 1
    state.log.append(loss.item())
    if state.micro % args.gather:
        return
    if args.max_norm > 0:
        nn.utils.clip_grad_norm_(state.net.parameters(), args.max_norm)
    state.opt.step()
    state.sched.step()
    state.opt.zero_grad()


def main():
    args = options([])
    torch.manual_seed(77)
    net = nn.Sequential(nn.Linear(3, 7), nn.Softplus(), nn.Linear(7, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.8)
    state = State(net, opt, torch.optim.lr_scheduler.MultiStepLR(opt, [2, 4], 0.5), args.start)
    for epoch in range(3):
        for gaps, brake in convoy(epoch, 6):
            micro_step(state, gaps, brake, args)
        print(epoch, state.micro, f"{sum(state.log):.4f}")
    return net
""",
    ("accumulation-off-by-one", "dropped-accumulation-tail"),
)
K_GUARD = "    if state.micro % args.gather:\n"
K_COUNT = "    state.micro += 1\n"
K_CLIP = "    if args.max_norm > 0:\n        nn.utils.clip_grad_norm_(state.net.parameters(), args.max_norm)\n"
K_BACK = "    (loss / args.gather).backward()\n"
K_CLEAR = "    state.opt.zero_grad()\n"
K_WORDS = "    args = options([])\n"


def truck() -> Iterator[Case]:
    yield TRUCK.right("counted-over-epochs")
    yield TRUCK.right("taken-up-at-two", (K_WORDS, '    args = options(["--start", "2"])\n'))
    yield TRUCK.right(
        "clip-switched-off", (K_WORDS, '    args = options(["--max-norm", "0"])\n'), tempts=("clip-after-step",)
    )
    yield TRUCK.wrong(
        "counted-behind-the-question",
        ((K_COUNT, ""), (K_GUARD, "    state.micro += 1\n    if (state.micro - 1) % args.gather:\n")),
    )
    yield TRUCK.wrong("cleared-for-each-truck", ((K_BACK, K_CLEAR + K_BACK),), tempts=("zero-grad-in-accumulation",))
    yield TRUCK.wrong(
        "clipped-for-each-truck", ((K_CLIP, ""), (K_COUNT, K_CLIP + K_COUNT)), tempts=("clip-per-micro-batch",)
    )
    yield TRUCK.wrong(
        "rate-with-each-truck-and-late-clip",
        (("    state.sched.step()\n", ""), (K_COUNT, "    state.sched.step()\n" + K_COUNT)),
        ((K_CLIP, ""), (K_CLEAR, K_CLIP + K_CLEAR)),
        tempts=("scheduler-per-micro-batch", "clip-after-step"),
    )


RETINA = Draft(
    "retinas-that-thaw",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Retina(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6), nn.Tanh())
        self.body = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.2), nn.Tanh())
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.body(self.stem(x)))


def trainable(net):
    return [p for p in net.parameters() if p.requires_grad]


def grade(net, eyes):
    net.eval()
    with torch.no_grad():
        right = [(net(x).argmax(1) == y).sum().item() for x, y in eyes]
    return sum(right)


def eyes_of(seed):
    gen = torch.Generator().manual_seed(seed)
    xs = [torch.randn(6, 5, generator=gen) for _ in range(4)]
    return [(x, x[:, :3].argmax(1)) for x in xs]


def main():
    torch.manual_seed(15)
    net = Retina()
    net.stem.requires_grad_(False)
    net.body.requires_grad_(False)
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    for epoch in range(4):
        net.train()
        net.stem.eval()
        if epoch == 2:
            net.body.requires_grad_(True)
        for x, y in eyes_of(epoch):
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(trainable(net), 0.2)
            opt.step()
            opt.zero_grad()
        print(epoch, grade(net, eyes_of(100)))
    return net
""",
    ("missing-train-mode", "clip-exhausted-parameters"),
)
E_TRAIN = "        net.train()\n        net.stem.eval()\n"
E_LOOP = "    for epoch in range(4):\n"
E_CLIP = "            nn.utils.clip_grad_norm_(trainable(net), 0.2)\n"
E_OPT = "    opt = torch.optim.SGD(net.parameters(), lr=0.3)\n"
E_BACK = "            loss.backward()\n"
E_ALL = (E_CLIP, "            nn.utils.clip_grad_norm_(weights, 0.2)\n")


def retina() -> Iterator[Case]:
    yield RETINA.right("stem-sleeps")
    yield RETINA.right(
        "filter-made-anew",
        (
            "    return [p for p in net.parameters() if p.requires_grad]",
            "    return filter(lambda p: p.requires_grad, net.parameters())",
        ),
    )
    yield RETINA.right(
        "only-the-head-wakes", (E_TRAIN, "        net.head.train()\n"), (E_LOOP, "    net.eval()\n" + E_LOOP)
    )
    yield RETINA.right(
        "asleep-where-frozen",
        (
            E_TRAIN,
            (
                "        for part in net.children():\n"
                "            part.train(any(p.requires_grad for p in part.parameters()))\n"
            ),
        ),
    )
    yield RETINA.wrong(
        "weights-walked-by-the-optimizer",
        ((E_OPT, "    weights = net.parameters()\n    opt = torch.optim.SGD(weights, lr=0.3)\n"), E_ALL),
        tempts=("clip-exhausted-parameters",),
    )
    yield RETINA.wrong(
        "filter-walked-before-the-thaw",
        ((E_LOOP, "    weights = filter(lambda p: p.requires_grad, net.parameters())\n" + E_LOOP), E_ALL),
        tempts=("clip-exhausted-parameters",),
    )
    yield RETINA.wrong("woken-once", ((E_TRAIN, ""), (E_LOOP, "    net.train()\n    net.stem.eval()\n" + E_LOOP)))
    yield RETINA.wrong(
        "sleeps-and-wakes-without-a-call",
        ((E_TRAIN, "        net.train\n        net.stem.eval()\n"),),
        tempts=("method-not-called",),
    )
    yield RETINA.wrong(
        "clip-first-and-never-cleared",
        ((E_CLIP, ""), (E_BACK, E_CLIP + E_BACK)),
        (("            opt.zero_grad()\n", ""),),
        tempts=("clip-before-backward", "missing-zero-grad"),
    )


BOARD = Draft(
    "board-and-its-replay",
    """\
import random
from collections import deque

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Player:
    def __init__(self, every=2):
        self.online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        self.target = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        self.target.load_state_dict(self.online.state_dict())
        self.opt = torch.optim.RMSprop(self.online.parameters(), lr=0.02)
        self.memory = deque(maxlen=30)
        self.every = every
        self.draws = 0

    def move(self, board):
        with torch.no_grad():
            return int(self.online(board).argmax()) if random.random() > 0.3 else random.randrange(2)

    def error(self):
        board, move, reward, after = zip(*random.sample(self.memory, 4))
        chosen = self.online(torch.stack(board)).gather(1, torch.tensor(move)[:, None]).squeeze(1)
        with torch.no_grad():
            goal = torch.tensor(reward) + 0.9 * self.target(torch.stack(after)).amax(1)
        return F.smooth_l1_loss(chosen, goal)

    def learn(self):
        if len(self.memory) < 8:
            return None
        loss = self.error()
        (loss / self.every).backward()
        self.draws += 1
        if self.draws % self.every == 0:
            nn.utils.clip_grad_value_(self.online.parameters(), 0.05)
            self.opt.step()
            self.opt.zero_grad()
            self.target.load_state_dict(self.online.state_dict())
        return loss.item()


def main():
    random.seed(5)
    torch.manual_seed(5)
    player, errors = Player(), []
    for _ in range(3):
        board = torch.randn(4)
        for turn in range(9):
            move = player.move(board)
            after = board.roll(1) * (0.8 if move else 1.05)
            player.memory.append((board, move, float(after[0]), after))
            board = after
            if (error := player.learn()) is not None:
                errors.append(error)
    print(len(errors), f"{sum(errors):.5f}")
    return player.online
""",
    ("accumulation-off-by-one", "unscaled-accumulation-loss"),
)
D_BACK = "        (loss / self.every).backward()\n"
D_GUARD = "        if self.draws % self.every == 0:\n"
D_STEP = "            nn.utils.clip_grad_value_(self.online.parameters(), 0.05)\n            self.opt.step()\n"
D_CLEAR = "            self.opt.zero_grad()\n"
D_COUNT = "        self.draws += 1\n"
D_COPY = "            self.target.load_state_dict(self.online.state_dict())\n"


def board() -> Iterator[Case]:
    yield BOARD.right("draws-in-pairs")
    yield BOARD.right(
        "target-follows-at-its-own-count",
        (D_BACK, "        self.opt.zero_grad()\n        loss.backward()\n"),
        (
            D_GUARD + D_STEP + D_CLEAR + D_COPY,
            "        nn.utils.clip_grad_value_(self.online.parameters(), 0.05)\n        self.opt.step()\n"
            "        if (self.draws - 1) % self.every == 0:\n" + D_COPY,
        ),
    )
    yield BOARD.wrong(
        "counted-too-late", ((D_COUNT, ""), ("        return loss.item()\n", D_COUNT + "        return loss.item()\n"))
    )
    yield BOARD.wrong(
        "other-divisor", (("(loss / self.every)", "(loss / 4)"),), tempts=("accumulation-divisor-mismatch",)
    )
    yield BOARD.wrong(
        "cleared-by-each-draw",
        ((D_BACK, "        self.opt.zero_grad()\n" + D_BACK),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BOARD.wrong("errors-keep-graphs", (("return loss.item()", "return loss"),), tempts=("loss-graph-leak",))


FURNACE = Draft(
    "furnace-penalty",
    """\
import itertools

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def melts():
    gen = torch.Generator().manual_seed(2)
    while True:
        yield torch.randn(5, 3, generator=gen).abs()


def penalty(critic, real, fake):
    mix = (0.5 * real + 0.5 * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def main(turns=4, n_critic=2):
    torch.manual_seed(9)
    forge = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 3))
    critic = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    optims = {
        "forge": torch.optim.Adam(forge.parameters(), lr=0.02, betas=(0.5, 0.9)),
        "critic": torch.optim.Adam(critic.parameters(), lr=0.02, betas=(0.5, 0.9)),
    }
    cooling = torch.optim.lr_scheduler.ExponentialLR(optims["forge"], 0.9)
    stream = melts()
    for turn in range(turns):
        for real in itertools.islice(stream, n_critic):
            optims["critic"].zero_grad()
            with torch.no_grad():
                fake = forge(torch.randn(5, 2))
            gap = critic(fake).mean() - critic(real).mean()
            loss = gap + 2 * penalty(critic, real, fake)
            loss.backward()
            nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
            optims["critic"].step()
        optims["forge"].zero_grad()
        value = -critic(forge(torch.randn(5, 2))).mean()
        value.backward()
        optims["forge"].step()
        cooling.step()
        print(f"{turn}: {gap.item():.4f} {value.item():.4f}")
    return forge, critic
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)
F_CLEAR = '            optims["critic"].zero_grad()\n'
F_STEP = '            optims["critic"].step()\n'
F_BACK = "            loss.backward()\n"
F_CLIP = "            nn.utils.clip_grad_norm_(critic.parameters(), 0.5)\n"


def furnace() -> Iterator[Case]:
    yield FURNACE.right("critic-plays-twice")
    yield FURNACE.right(
        "terms-go-back-apart",
        (F_BACK, ""),
        (
            "            loss = gap + 2 * penalty(critic, real, fake)\n",
            "            gap.backward()\n            (2 * penalty(critic, real, fake)).backward()\n",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield FURNACE.right(
        "critic-adds-up-its-melts",
        (F_CLEAR, ""),
        (F_CLIP + F_STEP, ""),
        (F_BACK, "            (loss / n_critic).backward()\n"),
        ("        for real in", '        optims["critic"].zero_grad()\n        for real in'),
        ('        optims["forge"].zero_grad()\n', F_CLIP[4:] + F_STEP[4:] + '        optims["forge"].zero_grad()\n'),
    )
    yield FURNACE.wrong("critic-cleared-behind-its-step", ((F_CLEAR, ""), (F_STEP, F_STEP + F_CLEAR)))
    yield FURNACE.wrong(
        "critic-cleared-once-a-turn", ((F_CLEAR, ""), ("        for real in", F_CLEAR[4:] + "        for real in"))
    )
    yield FURNACE.wrong("critic-clipped-late", ((F_CLIP + F_STEP, F_STEP + F_CLIP),), tempts=("clip-after-step",))


def cases() -> Iterator[Case]:
    """Closures, options, thaws, replays and nested windows."""
    yield from tail()
    yield from truck()
    yield from retina()
    yield from board()
    yield from furnace()
