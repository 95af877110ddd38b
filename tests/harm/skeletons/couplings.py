"""A power grid on two replicas, a mesh under Accelerate, orbits that are learnt to be learnt, and a tank that is filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GRID = Draft(
    "grid-on-two-replicas",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def sweep(grid, loader, opt, window, on_update):
    for n, (load, flow) in enumerate(loader, 1):
        full = n % window == 0 or n == len(loader)
        grid.require_backward_grad_sync = full
        loss = nn.functional.mse_loss(grid(load), flow)
        (loss / window).backward()
        if not full:
            continue
        on_update(nn.utils.clip_grad_norm_(grid.parameters(), 0.5).item())
        opt.step()
        opt.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(18)
    data = TensorDataset(torch.randn(20, 4), 3 * torch.randn(20, 1))
    sampler = DistributedSampler(data, seed=5)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    grid = DDP(nn.Sequential(nn.Linear(4, 6), nn.ELU(), nn.Linear(6, 1)))
    opt = torch.optim.SGD(grid.parameters(), lr=0.2)
    norms = []
    for day in range(2):
        sampler.set_epoch(day)
        sweep(grid, loader, opt, 2, norms.append)
    if dist.get_rank() == 0:
        print(*(f"{norm:.4f}" for norm in norms))
    return grid
""",
    ("missing-no-sync", "step-without-sync"),
    ranks=2,
)

G_FLAG = "        grid.require_backward_grad_sync = full\n"
G_LOSS = "        loss = nn.functional.mse_loss(grid(load), flow)\n"
G_BACK = "        (loss / window).backward()\n"
G_SKIP = "        if not full:\n            continue\n"
G_CLIP = "        on_update(nn.utils.clip_grad_norm_(grid.parameters(), 0.5).item())\n"
G_STACK = """\
        with contextlib.ExitStack() as stack:
            if not full:
                stack.enter_context(grid.no_sync())
            loss = nn.functional.mse_loss(grid(load), flow)
            (loss / window).backward()
"""
G_BLIND = """\
        loss = nn.functional.mse_loss(grid(load), flow)
        with contextlib.nullcontext() if full else grid.no_sync():
            (loss / window).backward()
"""
G_LOOK = "        on_update(nn.utils.get_total_norm([p.grad for p in grid.parameters()]).item())\n"
G_MOVED = (G_SKIP + G_CLIP, G_CLIP + G_SKIP)


def grid() -> Iterator[Case]:
    yield GRID.right("as-it-is")
    yield GRID.right("held-back-by-a-stack", (G_FLAG + G_LOSS + G_BACK, G_STACK))
    yield GRID.right("every-mean-is-looked-at", (G_FLAG, ""), (G_BACK, G_BACK + G_LOOK), tempts=("missing-no-sync",))
    yield GRID.right(
        "one-order-that-is-wanted",
        ("        sampler.set_epoch(day)\n", ""),
        ("sampler = DistributedSampler(data, seed=5)", "sampler = DistributedSampler(data, shuffle=False)"),
        tempts=("missing-set-epoch",),
    )
    yield GRID.wrong(
        "last-window-stays-at-home",
        ((G_FLAG, G_FLAG.replace("= full", "= n % window == 0")),),
        tempts=("step-without-sync",),
    )
    yield GRID.wrong("every-backward-goes-round", ((G_FLAG, ""),), tempts=("missing-no-sync",))
    yield GRID.wrong(
        "only-the-backward-is-held",
        ((G_FLAG + G_LOSS + G_BACK, G_BLIND),),
        tempts=("forward-outside-no-sync",),
    )
    yield GRID.wrong("past-the-wrapper", (("grid(load)", "grid.module(load)"),), tempts=("step-without-sync",))
    yield GRID.wrong(
        "same-day-again-and-undivided",
        (("        sampler.set_epoch(day)\n", ""),),
        (("(loss / window).backward()", "loss.backward()"),),
        tempts=("missing-set-epoch", "unscaled-accumulation-loss"),
    )
    yield GRID.together(
        "mean-of-each-part-is-clipped",
        ((G_FLAG, ""), G_MOVED),
        fine=(((G_FLAG, ""),),),
        tempts=("missing-no-sync", "clip-per-micro-batch"),
    )


MESH = Draft(
    "mesh-under-accelerate",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


class Mesh:
    defaults = {"parts": 2, "rate": 0.2, "epochs": 2}

    def __init__(self, **given):
        self.cfg = {**self.defaults, **given}
        self.acc = Accelerator(cpu=True, gradient_accumulation_steps=self.cfg["parts"])
        torch.manual_seed(19)
        nodes = torch.randn(20, 4)
        net = nn.Sequential(nn.Linear(4, 7), nn.Tanh(), nn.Linear(7, 4))
        opt = torch.optim.SGD(net.parameters(), lr=self.cfg["rate"], momentum=0.9)
        loader = DataLoader(TensorDataset(nodes, nodes.roll(1, 0) - nodes), batch_size=4)
        self.net, self.opt, self.loader = self.acc.prepare(net, opt, loader)

    def loss(self, here, pull):
        return nn.functional.mse_loss(self.net(here), pull)

    def relax(self):
        for _ in range(self.cfg["epochs"]):
            tension = 0.0
            for here, pull in self.loader:
                with self.acc.accumulate(self.net):
                    loss = self.loss(here, pull)
                    self.acc.backward(loss)
                    if self.acc.sync_gradients:
                        self.acc.clip_grad_norm_(self.net.parameters(), 0.4)
                    self.opt.step()
                    self.opt.zero_grad()
                tension += loss.item()
            yield tension / len(self.loader)


def main():
    mesh = Mesh(rate=0.3)
    for tension in mesh.relax():
        print(f"{tension:.4f}")
    return mesh.acc.unwrap_model(mesh.net)
""",
    ("accumulation-divisor-mismatch", "unscaled-accumulation-loss"),
)

M_BACK = "                    self.acc.backward(loss)\n"
M_ASK = "                    if self.acc.sync_gradients:\n    "
M_CLIP = "                    self.acc.clip_grad_norm_(self.net.parameters(), 0.4)\n"
M_STEP = "                    self.opt.step()\n"
M_CLEAR = "                    self.opt.zero_grad()\n"
M_LOSS = "                    loss = self.loss(here, pull)\n"
M_HELPER = "        return nn.functional.mse_loss(self.net(here), pull)\n"


def mesh() -> Iterator[Case]:
    yield MESH.right("as-it-is")
    yield MESH.right("sum-of-parts-is-wanted", ("backward(loss)", 'backward(loss * self.cfg["parts"])'))
    yield MESH.right(
        "window-by-hand",
        (', gradient_accumulation_steps=self.cfg["parts"])', ")"),
        ("for here, pull in self.loader:", "for n, (here, pull) in enumerate(self.loader, 1):"),
        ("with self.acc.accumulate(self.net):", "with self.acc.autocast():"),
        (
            M_BACK + M_ASK + M_CLIP + M_STEP + M_CLEAR,
            """\
                self.acc.backward(loss / self.cfg["parts"])
                if n % self.cfg["parts"] == 0 or n == len(self.loader):
"""
            + M_CLIP
            + M_STEP
            + M_CLEAR,
        ),
    )
    yield MESH.wrong(
        "divided-by-the-helper", ((M_HELPER, M_HELPER.replace(", pull)\n", ', pull) / self.cfg["parts"]\n')),)
    )
    yield MESH.wrong("past-the-accelerator", ((M_BACK, "                    loss.backward()\n"),))
    yield MESH.wrong("every-part-is-clipped", ((M_ASK + M_CLIP, M_CLIP),), tempts=("clip-per-micro-batch",))
    yield MESH.wrong(
        "cleared-at-the-head", ((M_CLEAR, ""), (M_LOSS, M_CLEAR + M_LOSS)), tempts=("zero-grad-in-accumulation",)
    )
    yield MESH.wrong("tension-of-graphs", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield MESH.wrong(
        "clip-and-clear-the-wrong-way-round",
        ((M_ASK + M_CLIP + M_STEP + M_CLEAR, M_STEP + M_ASK + M_CLIP + M_CLEAR),),
        tempts=("clip-after-step",),
    )


ORBITS = Draft(
    "orbits-learnt-to-be-learnt",
    """\
import copy

import torch
from torch.func import functional_call
from torch.nn import Linear, Sequential, Tanh
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


def orbit(seed):
    gen = torch.Generator().manual_seed(seed)
    phase, t = torch.rand(1, generator=gen), torch.rand(12, 1, generator=gen)
    return (t[:6], (6 * (t[:6] + phase)).sin()), (t[6:], (6 * (t[6:] + phase)).sin())


def adapt(net, t, place, turns=2, rate=0.2):
    fast = dict(net.named_parameters())
    for _ in range(turns):
        slopes = torch.autograd.grad(mse_loss(functional_call(net, fast, (t,)), place), fast.values(), create_graph=True)
        fast = {name: weight - rate * slope for (name, weight), slope in zip(fast.items(), slopes)}
    return fast


def main():
    torch.manual_seed(21)
    net = Sequential(Linear(1, 6), Tanh(), Linear(6, 1))
    outer = torch.optim.Adam(net.parameters(), lr=0.03)
    plan = torch.optim.lr_scheduler.MultiStepLR(outer, [2, 4], gamma=0.3)
    best = []
    for batch in range(5):
        tasks = [orbit(3 * batch + k) for k in range(3)]
        outer.zero_grad()
        for support, (t, place) in tasks:
            loss = mse_loss(functional_call(net, adapt(net, *support), (t,)), place)
            (loss / len(tasks)).backward()
        outer.step()
        plan.step()
        best.append(loss.item())
    print(*(f"{loss:.4f}" for loss in best))
    return net
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)

O_CLEAR = "        outer.zero_grad()\n"
O_LOSS = "            loss = mse_loss(functional_call(net, adapt(net, *support), (t,)), place)\n"
O_BACK = "            (loss / len(tasks)).backward()\n"
O_STEP = "        outer.step()\n"
O_PLAN = "        plan.step()\n"
O_INNER = "                inner.zero_grad()\n"
FIRST = ORBITS.styled(
    (
        O_LOSS + O_BACK,
        """\
            pupil = copy.deepcopy(net)
            inner = torch.optim.SGD(pupil.parameters(), lr=0.2)
            for _ in range(3):
                inner.zero_grad()
                mse_loss(pupil(support[0]), support[1]).backward()
                inner.step()
            loss = mse_loss(pupil(t), place)
            for p, slope in zip(net.parameters(), torch.autograd.grad(loss, pupil.parameters())):
                p.grad = slope / 3 if p.grad is None else p.grad + slope / 3
""",
    )
)


def orbits() -> Iterator[Case]:
    yield ORBITS.right("as-it-is")
    yield ORBITS.right(
        "one-backward-for-all",
        (O_CLEAR, O_CLEAR + "        scores = []\n"),
        (O_BACK, "            scores.append(loss)\n"),
        (O_STEP, "        torch.stack(scores).mean().backward()\n" + O_STEP),
        tempts=("loss-graph-leak",),
    )
    yield FIRST.right("first-order-by-a-pupil", tempts=("missing-zero-grad", "zero-grad-in-accumulation"))
    yield FIRST.wrong("pupil-adds-up", ((O_INNER, ""),), tempts=("missing-zero-grad",))
    yield FIRST.wrong("teacher-of-pupils-adds-up", ((O_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield ORBITS.wrong(
        "cleared-with-each-task",
        ((O_CLEAR, ""), (O_BACK, "    " + O_CLEAR + O_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield ORBITS.wrong(
        "sum-of-tasks-and-plan-first",
        (("(loss / len(tasks)).backward()", "loss.backward()"),),
        ((O_STEP + O_PLAN, O_PLAN + O_STEP),),
        tempts=("unscaled-accumulation-loss", "scheduler-before-optimizer"),
    )
    yield ORBITS.wrong(
        "best-with-its-graph", (("best.append(loss.item())", "best.append(loss)"),), tempts=("loss-graph-leak",)
    )


TANK = Draft(
    "tank-that-is-filled",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


def play(policy, value, start, ticks=8):
    level, rewards, logs, values = start, [], [], []
    for tick in range(ticks):
        doses = Categorical(logits=policy(level))
        dose = doses.sample()
        logs.append(doses.log_prob(dose))
        values.append(value(level).squeeze(0))
        level = level + torch.stack([0.8 * dose - 0.4, torch.tensor(0.1)])
        rewards.append(1 - level[0].abs().item())
        if level[0].abs() > 1.5:
            break
    else:
        rewards[-1] += 1
    gains, gain = [], 0.0
    for reward in reversed(rewards):
        gains.append(gain := reward + 0.9 * gain)
    return torch.tensor(gains[::-1]), torch.stack(logs), torch.stack(values)


def main():
    torch.manual_seed(22)
    policy = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 2))
    value = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    opt_p = torch.optim.SGD(policy.parameters(), lr=0.3)
    opt_v = torch.optim.SGD(value.parameters(), lr=0.05, momentum=0.5)
    errors = []
    for episode in range(6):
        gains, logs, values = play(policy, value, torch.tensor([0.2 * episode - 0.5, 0.0]))
        opt_v.zero_grad()
        error = nn.functional.mse_loss(values, gains)
        error.backward()
        opt_v.step()
        loss = -(logs * (gains - values.detach())).mean()
        (loss / 2).backward()
        if episode % 2 == 1:
            nn.utils.clip_grad_norm_(policy.parameters(), 0.3)
            opt_p.step()
            opt_p.zero_grad()
        errors.append(error.item())
    print(*(f"{error:.4f}" for error in errors))
    return policy, value
""",
    ("accumulation-off-by-one", "zero-grad-in-accumulation"),
)

T_BACK = "        (loss / 2).backward()\n"
T_CLIP = "            nn.utils.clip_grad_norm_(policy.parameters(), 0.3)\n"
T_STEP = "            opt_p.step()\n"
T_CLEAR = "            opt_p.zero_grad()\n"
T_GUARD = "        if episode % 2 == 1:\n"


def tank() -> Iterator[Case]:
    yield TANK.right("as-it-is")
    yield TANK.right("poor-plays-are-forgotten", (T_BACK, T_BACK + "        if gains[0] < 2:\n" + T_CLEAR))
    yield TANK.right(
        "policy-is-delayed",
        (T_BACK + T_GUARD, T_GUARD + "            loss.backward()\n"),
        tempts=("zero-grad-in-accumulation", "accumulation-divisor-mismatch"),
    )
    yield TANK.right(
        "pairs-begin-clean", (T_STEP + T_CLEAR, T_STEP), (T_BACK, "        if episode % 2 == 0:\n" + T_CLEAR + T_BACK)
    )
    yield TANK.wrong(
        "first-play-alone", (("episode % 2 == 1", "episode % 2 == 0"),), tempts=("accumulation-off-by-one",)
    )
    yield TANK.wrong(
        "both-are-cleared-at-once",
        (
            (T_STEP + T_CLEAR, T_STEP),
            ("        opt_v.zero_grad()\n", "        opt_v.zero_grad()\n        opt_p.zero_grad()\n"),
        ),
    )
    yield TANK.wrong("value-adds-up", (("        opt_v.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield TANK.wrong(
        "every-play-is-clipped", ((T_CLIP, ""), (T_BACK, T_BACK + T_CLIP[4:])), tempts=("clip-per-micro-batch",)
    )
    yield TANK.wrong(
        "cleared-and-then-stepped", ((T_STEP + T_CLEAR, T_CLEAR + T_STEP),), tempts=("zero-grad-before-step",)
    )
    yield TANK.styled(("policy.parameters(), 0.3)", "policy.parameters(), 30.0)")).wrong(
        "errors-with-graphs-and-sum-of-plays",
        (("errors.append(error.item())", "errors.append(error)"),),
        (("(loss / 2).backward()", "loss.backward()"),),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from grid()
    yield from mesh()
    yield from orbits()
    yield from tank()
