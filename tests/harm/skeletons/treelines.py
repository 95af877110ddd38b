"""Graphs: one wood in full batches, small graphs with hooks, roots on two ranks, and the links of a thicket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SPRUCE = Draft(
    "spruce-and-its-neighbours",
    """\
import copy

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


class Grove(torch.nn.Module):
    def __init__(self, inputs, kinds):
        super().__init__()
        self.first, self.second = torch.nn.Linear(inputs, 8), torch.nn.Linear(8, kinds)

    def forward(self, x, near):
        x = F.dropout(F.relu(near @ self.first(x)), 0.4, self.training)
        return near @ self.second(x)


def plant(count=18):
    near = (torch.rand(count, count) < 0.2).double() + torch.eye(count)
    x = torch.randn(count, 5)
    return x, near / near.sum(1, keepdim=True), (near @ x)[:, :3].argmax(1)


def main():
    torch.manual_seed(13)
    x, near, kind = plant()
    known, held = torch.arange(18).split([12, 6])
    model = Grove(5, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1, weight_decay=0.01)
    best, waiting, told = float("inf"), 0, []
    for epoch in range(9):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, near)[known], kind[known])
        loss.backward()
        optimizer.step()
        told.append(loss.item())
        model.eval()
        with torch.no_grad():
            score = F.cross_entropy(model(x, near)[held], kind[held]).item()
        if score < best:
            best, waiting, state = score, 0, copy.deepcopy(model.state_dict())
        else:
            waiting += 1
            if waiting == 3:
                print("stopped at", epoch)
                break
    else:
        print("never stopped")
    print(f"{best:.4f}", f"{sum(told):.4f}")
    model.load_state_dict(state)
    return model
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

C_TRAIN = "        model.train()\n"
C_CLEAR = "        optimizer.zero_grad()\n"
C_STEP = "        optimizer.step()\n"
C_EVAL = """\
        with torch.no_grad():
            score = F.cross_entropy(model(x, near)[held], kind[held]).item()
"""
C_GRAPH = (C_EVAL, "        score = F.cross_entropy(model(x, near)[held], kind[held]).item()\n")
C_LOOP = "    for epoch in range(9):\n"
C_ONCE = ((C_TRAIN, ""), (C_LOOP, "    model.train()\n" + C_LOOP))


def spruce() -> Iterator[Case]:
    yield SPRUCE.right("awake-at-the-head")
    yield SPRUCE.right("woken-behind-the-score", *C_ONCE, (C_EVAL, C_EVAL + C_TRAIN))
    yield SPRUCE.right(
        "a-copy-is-asked",
        *C_ONCE,
        ("        model.eval()\n", "        frozen = copy.deepcopy(model).eval()\n"),
        (C_EVAL, C_EVAL.replace("(model(", "(frozen(")),
    )
    yield SPRUCE.right(
        "other-nodes-of-the-same-forward",
        *C_ONCE,
        ("        model.eval()\n", ""),
        (C_EVAL, "        score = F.cross_entropy(logits[held].detach(), kind[held]).item()\n"),
        (
            "        loss = F.cross_entropy(model(x, near)[known]",
            "        logits = model(x, near)\n        loss = F.cross_entropy(logits[known]",
        ),
        tempts=("loss-graph-leak",),
    )
    yield SPRUCE.wrong("woken-before-the-first-epoch", C_ONCE, tempts=("missing-train-mode",))
    yield SPRUCE.wrong("score-with-a-graph", (C_GRAPH,), tempts=("validation-without-no-grad",))
    yield SPRUCE.wrong(
        "sleep-is-only-named", (("        model.eval()\n", "        model.eval\n"),), tempts=("method-not-called",)
    )
    yield SPRUCE.wrong(
        "nothing-left-for-the-step",
        ((C_CLEAR, ""), (C_STEP, C_CLEAR + C_STEP)),
        (("told.append(loss.item())", "told.append(loss)"),),
        tempts=("zero-grad-before-step", "loss-graph-leak"),
    )


TWIGS = Draft(
    "twigs-in-small-graphs",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
OPTIONS = {"every": 4, "limit": 0.4, "epochs": 2, "rate": 0.2, "count": 11, "broken": 5}


class Wood:
    def __init__(self, options):
        rng = torch.Generator().manual_seed(60)
        self.graphs = []
        for number in range(options["count"]):
            size = 3 + number % 4
            x = torch.randn(size, 4, generator=rng)
            near = torch.softmax(torch.randn(size, size, generator=rng), 1)
            y = (near @ x).sum(1, keepdim=True)
            self.graphs.append((x, near, y / 0 if number == options["broken"] else y))

    def __len__(self):
        return len(self.graphs)

    def __iter__(self):
        return iter(self.graphs)


class Grower:
    def __init__(self, options, *hooks):
        self.options, self.hooks = options, hooks
        self.lift, self.read = nn.Linear(4, 6), nn.Linear(6, 1)
        self.weights = [*self.lift.parameters(), *self.read.parameters()]
        self.optimizer = torch.optim.SGD(self.weights, lr=options["rate"], momentum=0.7)

    def update(self):
        norm = nn.utils.clip_grad_norm_(self.weights, self.options["limit"])
        if norm.isfinite():
            self.optimizer.step()
        self.optimizer.zero_grad()
        for hook in self.hooks:
            hook(norm.item())

    def grow(self, wood):
        every = self.options["every"]
        for i, (x, near, y) in enumerate(wood):
            out = self.read(torch.tanh(near @ self.lift(x)))
            loss = nn.functional.l1_loss(out, y) + 0.5 * nn.functional.mse_loss(out, y)
            (loss / every).backward()
            if (i + 1) % every == 0 or i + 1 == len(wood):
                self.update()


def main():
    torch.manual_seed(18)
    norms = []
    grower, wood = Grower(OPTIONS, norms.append), Wood(OPTIONS)
    for _ in range(OPTIONS["epochs"]):
        grower.grow(wood)
    print(*(f"{norm:.4f}" for norm in norms))
    return grower.lift, grower.read
""",
    ("accumulation-off-by-one", "missing-zero-grad"),
)

T_CLIP = '        norm = nn.utils.clip_grad_norm_(self.weights, self.options["limit"])\n'
T_STEP = "        if norm.isfinite():\n            self.optimizer.step()\n"
T_CLEAR = "        self.optimizer.zero_grad()\n"
T_BACK = "            (loss / every).backward()\n"
T_GUARD = "            if (i + 1) % every == 0 or i + 1 == len(wood):\n                self.update()\n"
T_BARE = "            if (i + 1) % every == 0:\n                self.update()\n"
T_EVERY = '        every = self.options["every"]\n'


def twigs() -> Iterator[Case]:
    yield TWIGS.right("broken-twig-costs-its-window")
    yield TWIGS.right(
        "inverted",
        (
            T_GUARD,
            (
                "            if (i + 1) % every and i + 1 != len(wood):\n                continue\n"
                "            self.update()\n"
            ),
        ),
    )
    yield TWIGS.right(
        "odd-twigs-are-dropped-with-the-epoch",
        (T_GUARD, T_BARE),
        (T_EVERY, "        self.optimizer.zero_grad()\n" + T_EVERY),
        tempts=("dropped-accumulation-tail",),
    )
    yield TWIGS.right(
        "divided-where-it-updates",
        (T_BACK, "            loss.backward()\n"),
        (T_CLIP, '        for weight in self.weights:\n            weight.grad /= self.options["every"]\n' + T_CLIP),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TWIGS.wrong(
        "odd-twigs-wait",
        ((T_GUARD, T_BARE),),
        fine=(((T_GUARD, T_BARE), (T_EVERY, "        self.optimizer.zero_grad()\n" + T_EVERY)),),
        tempts=("dropped-accumulation-tail",),
    )
    yield TWIGS.wrong(
        "first-window-of-one",
        ((T_GUARD, T_GUARD.replace("(i + 1) % every", "i % every")),),
        tempts=("accumulation-off-by-one",),
    )
    yield TWIGS.wrong(
        "divided-by-the-wood",
        ((T_BACK, "            (loss / len(wood)).backward()\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield TWIGS.wrong(
        "window-of-sums", ((T_BACK, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield TWIGS.wrong(
        "cleared-with-each-twig-and-shifted",
        ((T_CLEAR, ""), (T_BACK, "            self.optimizer.zero_grad()\n" + T_BACK)),
        ((T_GUARD, T_GUARD.replace("(i + 1) % every", "i % every")),),
        tempts=("zero-grad-in-accumulation", "accumulation-off-by-one"),
    )


ROOTS = Draft(
    "roots-on-two-ranks",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
WINDOW = 4


class Roots(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread, self.drop, self.read = nn.Linear(3, 6), nn.Dropout(0.2), nn.Linear(6, 1)

    def forward(self, x):
        near = torch.softmax(x @ x.mT, -1)
        return self.read(self.drop(torch.tanh(near @ self.spread(x)))).mean(1)


def judge(net, x, y):
    net.eval()
    with torch.no_grad():
        score = nn.functional.mse_loss(net(x), y)
    net.train()
    dist.all_reduce(score)
    return score.item() / dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(24)
    x = torch.randn(30, 4, 3)
    y = x.amax((1, 2))[:, None]
    sampler = DistributedSampler(TensorDataset(x[:22], y[:22]), seed=5)
    loader = DataLoader(sampler.dataset, batch_size=2, sampler=sampler)
    net = DistributedDataParallel(Roots())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for number, (graph, target) in enumerate(loader, start=1):
            closes = number % WINDOW == 0 or number == len(loader)
            with contextlib.nullcontext() if closes else net.no_sync():
                loss = nn.functional.mse_loss(net(graph), target)
                (loss / WINDOW).backward()
            if closes:
                optimizer.step()
                optimizer.zero_grad()
        score = judge(net.module, x[22:], y[22:])
        if dist.get_rank() == 0:
            print(epoch, f"{score:.5f}")
    return net
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

O_WITH = "            with contextlib.nullcontext() if closes else net.no_sync():\n"
O_BODY = """\
                loss = nn.functional.mse_loss(net(graph), target)
                (loss / WINDOW).backward()
"""
O_FLAT = O_BODY.replace("                ", "            ")
O_EPOCH = "        sampler.set_epoch(epoch)\n"
O_SLEEP = ("    net.train()\n    dist", "    dist")


def roots() -> Iterator[Case]:
    yield ROOTS.right("one-name-for-step-and-sync")
    yield ROOTS.right(
        "a-flag-in-its-place", (O_WITH + O_BODY, "            net.require_backward_grad_sync = closes\n" + O_FLAT)
    )
    yield ROOTS.right(
        "woken-in-the-epoch", O_SLEEP, (O_EPOCH, "        net.train()\n" + O_EPOCH), tempts=("missing-train-mode",)
    )
    yield ROOTS.wrong("all-speak-each-time", ((O_WITH + O_BODY, O_FLAT),), tempts=("missing-no-sync",))
    yield ROOTS.wrong(
        "the-odd-ones-step-alone",
        ((O_WITH, O_WITH.replace("if closes", "if number % WINDOW == 0")),),
        tempts=("step-without-sync",),
    )
    yield ROOTS.wrong("one-order-for-all-epochs", ((O_EPOCH, ""),), tempts=("missing-set-epoch",))
    yield ROOTS.wrong(
        "forward-ahead-and-judged-to-sleep",
        (
            (
                O_WITH + O_BODY,
                "            loss = nn.functional.mse_loss(net(graph), target)\n"
                + O_WITH
                + "                (loss / WINDOW).backward()\n",
            ),
        ),
        (O_SLEEP,),
        tempts=("forward-outside-no-sync", "missing-train-mode"),
    )


THICKET = Draft(
    "thicket-of-links",
    """\
# %% [markdown]
# Links of a thicket: near ends attract, far ones repel.

# %%
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(6)
twigs = torch.randn(14, 5)
draws = torch.Generator().manual_seed(1)

# %%
encoder = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 4))
shadow = copy.deepcopy(encoder).requires_grad_(False)
optimizer = torch.optim.AdamW(encoder.parameters(), lr=0.02)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=8)


def links(count):
    for _ in range(count):
        yield torch.randint(0, 14, (2, 9), generator=draws)


def distance(a, b):
    return (a - b).pow(2).sum(1)


# %%
walks, told = links(8), []
while (pair := next(walks, None)) is not None:
    here, there = encoder(twigs[pair.flatten()]).chunk(2)
    near = distance(here, there).mean()
    far = torch.relu(2 - distance(here, there.roll(1, 0))).mean()
    optimizer.zero_grad()
    near.backward(retain_graph=True)
    (0.5 * far).backward()
    nn.utils.clip_grad_norm_(encoder.parameters(), 0.5)
    optimizer.step()
    schedule.step()
    told.append(near.item() + far.item())
    with torch.no_grad():
        for slow, fast in zip(shadow.parameters(), encoder.parameters()):
            slow.lerp_(fast, 0.1)
    if len(told) % 3 == 0:
        encoder.eval()
        with torch.no_grad():
            print(len(told), f"{distance(encoder(twigs[:7]), encoder(twigs[7:])).mean():.4f}")
        encoder.train()

# %%
print(f"{sum(told):.4f}", schedule.get_last_lr())


def main():
    return encoder, shadow
""",
    ("unscaled-accumulation-loss", "clip-before-backward"),
)

K_CLEAR = "    optimizer.zero_grad()\n"
K_NEAR = "    near.backward(retain_graph=True)\n"
K_FAR = "    (0.5 * far).backward()\n"
K_CLIP = "    nn.utils.clip_grad_norm_(encoder.parameters(), 0.5)\n"
K_RATE = "    schedule.step()\n"
K_HERE = "    here, there = encoder"
K_STEP = "    optimizer.step()\n"


def thicket() -> Iterator[Case]:
    yield THICKET.right("two-terms-two-backwards")
    yield THICKET.right(
        "cleared-behind-the-step", (K_CLEAR, ""), (K_STEP, K_STEP + K_CLEAR), tempts=("missing-zero-grad",)
    )
    yield THICKET.right(
        "always-woken-at-the-head",
        ("        encoder.train()\n", ""),
        (K_HERE, "    encoder.train()\n" + K_HERE),
        tempts=("missing-train-mode",),
    )
    yield THICKET.right(
        "pull-is-measured-between",
        (K_FAR, '    pull = nn.utils.clip_grad_norm_(encoder.parameters(), float("inf"))\n' + K_FAR),
        ("told.append(near.item() + far.item())", "told.append(pull.item())"),
    )
    yield THICKET.wrong("clip-between-the-two", ((K_FAR + K_CLIP, K_CLIP + K_FAR),), tempts=("clip-before-backward",))
    yield THICKET.wrong("rate-ahead", ((K_RATE, ""), (K_STEP, K_RATE + K_STEP)), tempts=("scheduler-before-optimizer",))
    yield THICKET.wrong(
        "cleared-once",
        ((K_CLEAR, ""), ("walks, told =", "optimizer.zero_grad()\nwalks, told =")),
        tempts=("missing-zero-grad",),
    )
    yield THICKET.wrong(
        "asleep-after-three-and-told-with-graphs",
        (("        encoder.train()\n", ""),),
        (("told.append(near.item() + far.item())", "told.append(near + far)"),),
        tempts=("missing-train-mode", "loss-graph-leak"),
    )
    yield THICKET.wrong(
        "waking-is-only-named",
        (("        encoder.train()\n", "        encoder.train\n"),),
        tempts=("method-not-called", "missing-train-mode"),
    )


def cases() -> Iterator[Case]:
    yield from spruce()
    yield from twigs()
    yield from roots()
    yield from thicket()
