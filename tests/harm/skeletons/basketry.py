"""Meta learning, learnt sample weights, replayed frames, three critics and gradients that are cut to fit."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case
from harm.drafts import Draft

OSIER = Draft(
    "osier-tasks",
    """\
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)
TASKS = 3


def task(number):
    rng = torch.Generator().manual_seed(number)
    slope = torch.randn(2, 1, generator=rng)
    x = torch.randn(8, 2, generator=rng)
    return x[:4], (x[:4] @ slope).tanh(), x[4:], (x[4:] @ slope).tanh()


def adapt(net, x, y, rate, steps=2):
    fast = dict(net.named_parameters())
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(net, fast, x), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {name: w - rate * g for (name, w), g in zip(fast.items(), grads)}
    return fast


def main(rounds=5):
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    meta = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.8)
    cool = torch.optim.lr_scheduler.ExponentialLR(meta, 0.7)
    curve = []
    for turn in range(rounds):
        for number in range(TASKS):
            sx, sy, qx, qy = task(turn * TASKS + number)
            fast = adapt(net, sx, sy, meta.param_groups[0]["lr"])
            query = nn.functional.mse_loss(functional_call(net, fast, qx), qy)
            (query / TASKS).backward()
            curve.append(query.item())
        nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        meta.step()
        cool.step()
        meta.zero_grad()
        print(f"{turn}: at {cool.get_last_lr()[0]:.4f}")
    print(f"{sum(curve) / len(curve):.5f}")
    return net
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)
O_ADAPT = '            fast = adapt(net, sx, sy, meta.param_groups[0]["lr"])\n'
O_BACK = "            (query / TASKS).backward()\n"
O_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
O_STEP = "        meta.step()\n"
O_COOL = "        cool.step()\n"
O_CLEAR = "        meta.zero_grad()\n"
O_SUM = (O_BACK, "            query.backward()\n")
O_LATE = (O_CLIP + O_STEP + O_COOL, O_STEP + O_COOL + O_CLIP)


def osier() -> Iterator[Case]:
    yield OSIER.right("as-it-is")
    yield OSIER.wrong("clip-behind-the-outer-step", (O_LATE,), tempts=("clip-after-step",))
    yield OSIER.wrong("tasks-add-up-and-clip-is-late", (O_SUM,), (O_LATE,), tempts=("unscaled-accumulation-loss",))
    yield OSIER.wrong(
        "each-task-wipes-the-others",
        ((O_ADAPT, O_ADAPT + "            meta.zero_grad()\n"), (O_COOL + O_CLEAR, O_COOL)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield OSIER.wrong(
        "queries-are-kept",
        (("curve.append(query.item())", "curve.append(query)"),),
        tempts=("loss-graph-leak",),
    )
    yield OSIER.right(
        "cools-for-the-inner-steps-first",
        ("    for turn in range(rounds):\n", "    for turn in range(rounds):\n" + O_COOL),
        (O_STEP + O_COOL, O_STEP),
        tempts=("scheduler-before-optimizer",),
    )
    yield OSIER.right(
        "queries-meet-in-one-backward",
        (O_BACK + "            curve.append(query.item())\n", "            queries.append(query)\n"),
        ("        for number in", "        queries = []\n        for number in"),
        (O_CLIP, "        torch.stack(queries).mean().backward()\n" + O_CLIP),
        ('    print(f"{sum(curve) / len(curve):.5f}")\n', ""),
        ("    curve = []\n", ""),
        tempts=("loss-graph-leak",),
    )
    yield OSIER.right(
        "a-third-is-carried-over",
        (O_CLEAR, "        for w in net.parameters():\n            w.grad.mul_(1 / 3)\n"),
        tempts=("missing-zero-grad",),
    )


WATTLE = Draft(
    "wattle-weights",
    """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)


class Scales(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.logit = nn.Parameter(torch.zeros(count))

    def forward(self, index):
        return torch.sigmoid(self.logit[index])


def trainer(net, scales, lr=0.3):
    inner = torch.optim.SGD(net.parameters(), lr=lr)
    outer = torch.optim.SGD(scales.parameters(), lr=4.0, momentum=0.5)

    def look_ahead(x, y, index):
        loss = (scales(index) * F.mse_loss(net(x), y, reduction="none").mean(1)).mean()
        grads = torch.autograd.grad(loss, list(net.parameters()), create_graph=True)
        return {name: p - lr * g for (name, p), g in zip(net.named_parameters(), grads)}

    def weigh(batch, held):
        outer.zero_grad()
        value = F.mse_loss(functional_call(net, look_ahead(*batch), held[0]), held[1])
        value.backward()
        nn.utils.clip_grad_norm_(scales.parameters(), 0.001)
        outer.step()
        return value.item()

    def fit(x, y, index):
        with torch.no_grad():
            weights = scales(index)
        inner.zero_grad()
        loss = (weights * F.mse_loss(net(x), y, reduction="none").mean(1)).mean()
        loss.backward()
        inner.step()
        return loss.item()

    return weigh, fit


def main():
    torch.manual_seed(9)
    net, scales = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)), Scales(12)
    x = torch.randn(20, 3)
    y = x.prod(1, keepdim=True)
    y[:6] += 2 * torch.randn(6, 1)
    weigh, fit = trainer(net, scales)
    for step in range(9):
        index = torch.randperm(12)[:6]
        batch = x[index], y[index], index
        value = weigh(batch, (x[12:], y[12:])) if step % 2 == 0 else 0.0
        print(f"{step}: {value:.4f} {fit(*batch):.4f}")
    return net, scales
""",
    ("missing-zero-grad",),
)
W_CLIP = "        nn.utils.clip_grad_norm_(scales.parameters(), 0.001)\n"
W_STEP = "        outer.step()\n"
W_CLEAR = "        inner.zero_grad()\n"
W_BACK = "        value.backward()\n"
W_FIT = "        loss.backward()\n        inner.step()\n"


def wattle() -> Iterator[Case]:
    yield WATTLE.right("as-it-is")
    yield WATTLE.wrong(
        "cleared-behind-the-inner-step", ((W_CLEAR, ""), (W_FIT, W_FIT + W_CLEAR)), tempts=("missing-zero-grad",)
    )
    yield WATTLE.wrong(
        "cleared-between-backward-and-step",
        ((W_CLEAR, ""), (W_FIT, "        loss.backward()\n        inner.zero_grad()\n        inner.step()\n")),
        tempts=("zero-grad-before-step",),
    )
    yield WATTLE.wrong(
        "weights-pile-up-and-clip-is-late",
        (("        outer.zero_grad()\n", ""),),
        ((W_CLIP + W_STEP, W_STEP + W_CLIP),),
        tempts=("missing-zero-grad", "clip-after-step"),
    )
    yield WATTLE.wrong("clear-without-a-call", ((W_CLEAR, "        inner.zero_grad\n"),), tempts=("method-not-called",))
    yield WATTLE.right(
        "value-fills-the-weights-alone",
        (W_BACK, "        value.backward(inputs=list(scales.parameters()))\n"),
        (W_CLEAR, ""),
        (W_FIT, W_FIT + W_CLEAR),
    )


RUSHWORK = Draft(
    "rushwork-replay",
    """\
import copy
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def world(state, action):
    after = torch.tanh(state.roll(1) + (0.5 if action else -0.5))
    return after, float(after.sum())


class Agent:
    def __init__(self, parts):
        self.q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 2))
        self.target = copy.deepcopy(self.q).eval().requires_grad_(False)
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=0.01)
        self.memory, self.rng = deque(maxlen=30), random.Random(3)
        self.parts, self.debt, self.losses = parts, 0, []

    def act(self, state, explore):
        if self.rng.random() < explore:
            return self.rng.randrange(2)
        self.q.eval()
        with torch.no_grad():
            choice = int(self.q(state).argmax())
        self.q.train()
        return choice

    def learn(self):
        states, actions, rewards, nexts = zip(*self.rng.sample(list(self.memory), 6))
        with torch.no_grad():
            goal = torch.tensor(rewards) + 0.9 * self.target(torch.stack(nexts)).max(1).values
        value = self.q(torch.stack(states)).gather(1, torch.tensor(actions)[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(value, goal)
        (loss / self.parts).backward()
        self.losses.append(loss.item())
        self.debt += 1
        if self.debt == self.parts:
            nn.utils.clip_grad_norm_(self.q.parameters(), 0.8)
            self.opt.step()
            self.opt.zero_grad()
            self.debt = 0
            for slow, fast in zip(self.target.parameters(), self.q.parameters()):
                slow.lerp_(fast.detach(), 0.2)


def main():
    torch.manual_seed(6)
    agent, state = Agent(parts=3), torch.randn(3)
    for frame in range(42):
        action = agent.act(state, explore=0.4)
        after, reward = world(state, action)
        agent.memory.append((state, action, reward, after))
        state = torch.randn(3) if frame % 7 == 6 else after
        if len(agent.memory) > 10 and frame % 2:
            agent.learn()
    print(len(agent.losses), f"{sum(agent.losses):.4f}")
    return agent.q
""",
    ("accumulation-off-by-one", "missing-train-mode"),
)
R_STEP = "            self.opt.step()\n"
R_CLEAR = "            self.opt.zero_grad()\n"
R_ASK = "        if self.debt == self.parts:\n"
R_BACK = "        (loss / self.parts).backward()\n"


def rushwork() -> Iterator[Case]:
    yield RUSHWORK.right("as-it-is")
    yield RUSHWORK.wrong("greedy-and-asleep", (("        self.q.train()\n", ""),), tempts=("missing-train-mode",))
    yield RUSHWORK.wrong(
        "debt-is-never-paid-back-in-time",
        ((R_ASK, "        if self.debt > self.parts:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield RUSHWORK.wrong(
        "samples-add-up-and-are-kept",
        ((R_BACK, "        loss.backward()\n"),),
        (("self.losses.append(loss.item())", "self.losses.append(loss)"),),
        tempts=("unscaled-accumulation-loss", "loss-graph-leak"),
    )
    yield RUSHWORK.wrong(
        "each-sample-wipes", ((R_CLEAR, ""), (R_BACK, R_CLEAR[4:] + R_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield RUSHWORK.right(
        "asleep-from-the-start",
        ("        self.q.train()\n", ""),
        ("        self.opt = torch", "        self.q.eval()\n        self.opt = torch"),
        tempts=("missing-train-mode",),
    )
    yield RUSHWORK.right(
        "one-loan-ahead",
        (R_ASK, "        if self.debt > self.parts:\n"),
        ("parts, 0, []", "parts, 1, []"),
        ("            self.debt = 0\n", "            self.debt = 1\n"),
    )


WITHY = Draft(
    "withy-critics",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def mlp(*widths):
    layers = [layer for a, b in zip(widths, widths[1:]) for layer in (nn.Linear(a, b), nn.Tanh())]
    return nn.Sequential(*layers[:-1])


def main():
    torch.manual_seed(31)
    maker = mlp(2, 6, 3)
    critics = nn.ModuleDict({name: mlp(3, width, 1) for name, width in [("fine", 7), ("coarse", 4), ("edge", 5)]})
    opt_maker = torch.optim.Adam(maker.parameters(), lr=0.02)
    opts = {name: torch.optim.SGD(critic.parameters(), lr=0.3) for name, critic in critics.items()}
    scheds = {name: torch.optim.lr_scheduler.ExponentialLR(opt, 0.8) for name, opt in opts.items()}
    for turn in range(6):
        real = torch.randn(5, 3) * 0.3 + 1
        fake = maker(torch.randn(5, 2))
        for name, critic in critics.items():
            opts[name].zero_grad()
            loss = F.softplus(critic(fake.detach())).mean() + F.softplus(-critic(real)).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(critic.parameters(), 0.2)
            opts[name].step()
            scheds[name].step()
        opt_maker.zero_grad()
        pull = sum(F.softplus(-critic(fake)).mean() for critic in critics.values()) / len(critics)
        pull.backward()
        opt_maker.step()
        print(f"{turn}: {pull.item():.4f}")
    return maker, critics
""",
    ("missing-zero-grad",),
)
C_CLEAR = "            opts[name].zero_grad()\n"
C_STEP = "            opts[name].step()\n"
C_SCHED = "            scheds[name].step()\n"
C_CLIP = "            nn.utils.clip_grad_norm_(critic.parameters(), 0.2)\n"
M_CLEAR = "        opt_maker.zero_grad()\n"
M_STEP = "        opt_maker.step()\n"


def withy() -> Iterator[Case]:
    yield WITHY.right("as-it-is")
    yield WITHY.wrong(
        "critics-cleared-behind-their-steps",
        ((C_CLEAR, ""), (C_STEP + C_SCHED, C_STEP + C_SCHED + C_CLEAR)),
        tempts=("missing-zero-grad",),
    )
    yield WITHY.wrong(
        "critics-cleared-ahead-of-their-steps",
        ((C_CLEAR, ""), (C_CLIP + C_STEP, C_CLIP + C_CLEAR + C_STEP)),
        tempts=("zero-grad-before-step",),
    )
    yield WITHY.wrong(
        "rates-fall-first",
        ((C_STEP + C_SCHED, C_SCHED + C_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield WITHY.wrong(
        "maker-is-not-cleared-and-clip-is-late",
        ((M_CLEAR, ""),),
        ((C_CLIP + C_STEP, C_STEP + C_CLIP),),
        tempts=("missing-zero-grad", "clip-after-step"),
    )
    yield WITHY.right(
        "critics-are-held-for-the-maker",
        (C_CLEAR, ""),
        (C_STEP + C_SCHED, C_STEP + C_SCHED + C_CLEAR),
        (M_CLEAR, M_CLEAR + "        critics.requires_grad_(False)\n"),
        (M_STEP, M_STEP + "        critics.requires_grad_(True)\n"),
    )
    yield WITHY.right(
        "maker-cleared-at-the-end", (M_CLEAR, ""), (M_STEP, M_STEP + M_CLEAR), tempts=("missing-zero-grad",)
    )


SPLINT = Draft(
    "splint-surgery",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def combined(vectors):
    flats = [torch.cat([g.flatten() for g in vector]) for vector in vectors]
    total = torch.zeros_like(flats[0])
    for own in flats:
        kept = own.clone()
        for other in flats:
            dot = kept @ other
            if dot < 0:
                kept -= dot / (other @ other) * other
        total += kept
    pieces = total.split([g.numel() for g in vectors[0]])
    return [piece.view_as(g) for piece, g in zip(pieces, vectors[0])]


def main():
    torch.manual_seed(14)
    trunk = nn.Sequential(nn.Linear(4, 6), nn.Tanh())
    heads = nn.ModuleList(nn.Linear(6, 1) for _ in range(3))
    shared = list(trunk.parameters())
    everything = [*shared, *heads.parameters()]
    opt = torch.optim.SGD(everything, lr=0.2, momentum=0.5)
    curve = []
    for _ in range(6):
        x = torch.randn(8, 4)
        y = torch.stack([x[:, 0] * x[:, 1], -x[:, 0] * x[:, 1], x[:, 2].sin()], 1)
        vectors, features = [], trunk(x)
        for k, head in enumerate(heads):
            loss = nn.functional.mse_loss(head(features), y[:, k : k + 1])
            loss.backward(retain_graph=True)
            curve.append(loss.item())
            vectors.append([w.grad.clone() for w in shared])
            trunk.zero_grad()
        for w, g in zip(shared, combined(vectors)):
            w.grad = g
        nn.utils.clip_grad_norm_(everything, 0.4)
        opt.step()
        opt.zero_grad()
    print(f"{sum(curve):.4f}")
    return trunk, heads
""",
    ("zero-grad-in-accumulation", "zero-grad-before-step", "unscaled-accumulation-loss"),
)
S_CLIP = "        nn.utils.clip_grad_norm_(everything, 0.4)\n"
S_END = "        opt.step()\n        opt.zero_grad()\n"
S_PUT = "        for w, g in zip(shared, combined(vectors)):\n            w.grad = g\n"


def splint() -> Iterator[Case]:
    yield SPLINT.right("as-it-is")
    yield SPLINT.wrong("heads-pile-up", ((S_END, "        opt.step()\n"),), tempts=("missing-zero-grad",))
    yield SPLINT.wrong(
        "trunk-clear-is-only-named",
        (("            trunk.zero_grad()\n", "            trunk.zero_grad\n"),),
        tempts=("method-not-called",),
    )
    yield SPLINT.wrong(
        "all-is-wiped-behind-the-cut",
        ((S_CLIP + S_END, S_CLIP + "        opt.zero_grad()\n        opt.step()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield SPLINT.wrong(
        "limit-behind-and-losses-kept",
        ((S_CLIP + S_END, "        opt.step()\n" + S_CLIP + "        opt.zero_grad()\n"),),
        (("curve.append(loss.item())", "curve.append(loss)"),),
        tempts=("clip-after-step", "loss-graph-leak"),
    )
    yield SPLINT.right(
        "trunk-asked-by-autograd",
        (
            "            loss.backward(retain_graph=True)\n",
            "            loss.backward(retain_graph=True, inputs=own)\n",
        ),
        ("            vectors.append([w.grad.clone() for w in shared])\n            trunk.zero_grad()\n", ""),
        (
            "            curve.append(",
            (
                "            vectors.append(torch.autograd.grad(loss, shared, retain_graph=True))\n"
                "            curve.append("
            ),
        ),
        ("            loss = nn", "            own = list(head.parameters())\n            loss = nn"),
    )
    yield SPLINT.right(
        "trunk-is-limited-by-itself",
        (S_PUT + S_CLIP, S_PUT + "        nn.utils.clip_grad_norm_(shared, 0.4)\n"),
        (S_END, "        opt.step()\n        heads.zero_grad()\n"),
    )


def cases() -> Iterator[Case]:
    yield from osier()
    yield from wattle()
    yield from rushwork()
    yield from withy()
    yield from splint()
