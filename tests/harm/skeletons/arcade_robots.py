"""Robots that learn: an arm on two ranks, a gripper under LBFGS, a gait with a critic, grasps that adapt, Accelerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ARM = Draft(
    "arm-on-two-ranks",
    """\
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def windows(loader, size):
    for number, pose in enumerate(loader, start=1):
        yield pose, number % size == 0 or number == len(loader)


def reach(arm, opt, loader, size):
    total = 0.0
    for (angles, goal), full in windows(loader, size):
        with nullcontext() if full else arm.no_sync():
            miss = nn.functional.mse_loss(arm(angles), goal)
            (miss / size).backward()
        total += miss.item()
        if not full:
            continue
        nn.utils.clip_grad_norm_(arm.parameters(), 0.1)
        opt.step()
        opt.zero_grad()
    return total / len(loader)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(31)
    angles = torch.randn(28, 3)
    poses = TensorDataset(angles, angles.cumsum(1).cos()[:, :2])
    arm = DistributedDataParallel(nn.Sequential(nn.Linear(3, 7), nn.ELU(), nn.Linear(7, 2)))
    opt = torch.optim.SGD(arm.parameters(), lr=0.3, momentum=0.8)
    sampler = DistributedSampler(poses, seed=5)
    loader = DataLoader(poses, batch_size=2, sampler=sampler)
    for day in range(2):
        sampler.set_epoch(day)
        print(f"{day}: {reach(arm, opt, loader, 3):.5f}")
    return arm
""",
    ("step-without-sync", "missing-no-sync"),
    ranks=2,
)
BLOCK = """\
        with nullcontext() if full else arm.no_sync():
            miss = nn.functional.mse_loss(arm(angles), goal)
            (miss / size).backward()
"""
NO_BLOCK = "        miss = nn.functional.mse_loss(arm(angles), goal)\n        (miss / size).backward()\n"
TURN = "        sampler.set_epoch(day)\n"
ARM_CLIP = "        nn.utils.clip_grad_norm_(arm.parameters(), 0.1)\n"
FULL = "number % size == 0 or number == len(loader)"


def arm() -> Iterator[Case]:
    yield ARM.right("a-generator-says-when")
    yield ARM.wrong(
        "short-window-is-held-back",
        (
            (BLOCK, BLOCK.replace("if full", "if even")),
            (FULL, f"number % size == 0, {FULL}"),
            ("(angles, goal), full in", "(angles, goal), even, full in"),
        ),
        tempts=("step-without-sync",),
    )
    yield ARM.wrong("each-backward-reduces", ((BLOCK, NO_BLOCK),), tempts=("missing-no-sync",))
    yield ARM.wrong("turned-round", ((BLOCK, BLOCK.replace("if full", "if not full")),))
    yield ARM.wrong(
        "forward-ahead",
        (
            (
                BLOCK,
                """\
        miss = nn.functional.mse_loss(arm(angles), goal)
        with nullcontext() if full else arm.no_sync():
            (miss / size).backward()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield ARM.wrong("same-walk-each-day", ((TURN, ""),), tempts=("missing-set-epoch",))
    yield ARM.right(
        "one-walk-for-two-days",
        (TURN, ""),
        ("    for day in range(2):\n", "    sampler.set_epoch(7)\n    for day in range(1):\n"),
        tempts=("missing-set-epoch",),
    )
    yield ARM.right(
        "reduced-by-hand",
        (BLOCK, BLOCK.replace("nullcontext() if full else arm.no_sync()", "arm.no_sync()")),
        (
            ARM_CLIP,
            """\
        for joint in arm.parameters():
            dist.all_reduce(joint.grad)
            joint.grad /= dist.get_world_size()
"""
            + ARM_CLIP,
        ),
    )
    yield ARM.wrong(
        "undivided-and-clipped-late",
        (("(miss / size)", "miss"),),
        ((ARM_CLIP + "        opt.step()\n", "        opt.step()\n" + ARM_CLIP),),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


GRIPPER = Draft(
    "gripper-under-lbfgs",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Fit:
    def __init__(self, grip, touches, limit=0.7):
        self.grip, self.touches, self.limit = grip, touches, limit
        self.solver = torch.optim.LBFGS(grip.parameters(), lr=0.5, max_iter=3, history_size=4)
        self.polish = torch.optim.SGD(grip.parameters(), lr=0.05)
        self.seen = []

    def __call__(self):
        self.solver.zero_grad()
        slip = sum(nn.functional.mse_loss(self.grip(x), y) for x, y in self.touches) / len(self.touches)
        slip.backward()
        nn.utils.clip_grad_norm_(self.grip.parameters(), self.limit)
        self.seen.append(slip.item())
        return slip

    def refine(self, rounds):
        for _ in range(rounds):
            self.polish.zero_grad()
            for x, y in self.touches:
                (nn.functional.l1_loss(self.grip(x), y) / len(self.touches)).backward()
            self.polish.step()


def main():
    torch.manual_seed(6)
    grip = nn.Sequential(nn.Linear(2, 5), nn.Softplus(), nn.Linear(5, 1))
    touches = [(x, 3 * x.norm(dim=1, keepdim=True)) for x in torch.randn(3, 6, 2)]
    fit = Fit(grip, touches)
    for _ in range(3):
        fit.solver.step(fit)
    fit.refine(4)
    print(" ".join(f"{slip:.3f}" for slip in fit.seen))
    return grip
""",
    ("missing-zero-grad", "clip-before-backward"),
)
G_CLEAR = "        self.solver.zero_grad()\n"
G_CLIP = "        nn.utils.clip_grad_norm_(self.grip.parameters(), self.limit)\n"
G_BACK = "        slip.backward()\n"
P_CLEAR = "            self.polish.zero_grad()\n"
P_INNER = "            for x, y in self.touches:\n                (nn"
P_STEP = "            self.polish.step()\n"


def gripper() -> Iterator[Case]:
    yield GRIPPER.right("closure-is-an-object")
    yield GRIPPER.wrong("clip-ahead-of-the-backward", ((G_CLIP, ""), (G_BACK, G_CLIP + G_BACK)))
    yield GRIPPER.wrong("closure-never-clears", ((G_CLEAR, ""),))
    yield GRIPPER.wrong("polish-never-clears", ((P_CLEAR, ""),))
    yield GRIPPER.wrong(
        "polish-clears-at-each-touch",
        ((P_CLEAR + P_INNER, P_INNER.replace("                (nn", "    " + P_CLEAR + "                (nn")),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield GRIPPER.wrong(
        "polish-is-undivided",
        ((" / len(self.touches)).backward()", ").backward()"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GRIPPER.right(
        "polish-is-a-sum-with-its-rate",
        (" / len(self.touches)).backward()", ").backward()"),
        ("lr=0.05)", "lr=0.05 / len(touches))"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GRIPPER.right("other-name-clears", (G_CLEAR, "        self.polish.zero_grad()\n"))
    yield GRIPPER.left("first-polish-takes-what-the-solver-left", ((P_CLEAR, ""), (P_STEP, P_STEP + P_CLEAR)))


GAIT = Draft(
    "gait-with-a-critic",
    """\
import copy

import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


def mlp(*sizes):
    return nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.Tanh(), nn.Linear(sizes[1], sizes[2]))


def memory(count):
    gen = torch.Generator().manual_seed(14)
    for _ in range(count):
        s = torch.randn(8, 3, generator=gen)
        yield s, torch.randn(8, 1, generator=gen), s.sum(1, keepdim=True).cos(), 0.9 * s


def main():
    torch.manual_seed(15)
    actor, critic = mlp(3, 6, 1), mlp(4, 8, 1)
    target = copy.deepcopy(critic)
    actor_opt = torch.optim.Adam(actor.parameters(), lr=0.01)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=0.02)
    errors = []
    for t, (s, a, r, after) in enumerate(memory(12)):
        with torch.no_grad():
            wanted = r + 0.9 * target(torch.cat([after, actor(after)], 1))
        error = mse_loss(critic(torch.cat([s, a], 1)), wanted)
        critic_opt.zero_grad()
        error.backward()
        nn.utils.clip_grad_norm_(critic.parameters(), 0.5)
        critic_opt.step()
        errors.append(error.item())
        if t % 2:
            actor_opt.zero_grad()
            (-critic(torch.cat([s, actor(s)], 1)).mean()).backward()
            nn.utils.clip_grad_norm_(actor.parameters(), 0.05)
            actor_opt.step()
            with torch.no_grad():
                for old, new in zip(target.parameters(), critic.parameters()):
                    old.mul_(0.95).add_(new, alpha=0.05)
    print(f"{sum(errors) / len(errors):.4f}")
    return actor, critic, target
""",
    ("missing-zero-grad",),
)
C_CLEAR = "        critic_opt.zero_grad()\n"
C_STEP = "        critic_opt.step()\n"
C_CLIP = "        nn.utils.clip_grad_norm_(critic.parameters(), 0.5)\n"
A_CLEAR = "            actor_opt.zero_grad()\n"
A_CLIP = "            nn.utils.clip_grad_norm_(actor.parameters(), 0.05)\n"
A_STEP = "            actor_opt.step()\n"


def gait() -> Iterator[Case]:
    yield GAIT.right("actor-moves-later")
    yield GAIT.wrong(
        "critic-cleared-only-behind-its-step",
        ((C_CLEAR, ""), (C_STEP, C_STEP + C_CLEAR)),
    )
    yield GAIT.right(
        "critic-cleared-behind-its-step-and-held-still",
        (C_CLEAR, ""),
        (C_STEP, C_STEP + C_CLEAR),
        (A_CLEAR, A_CLEAR + "            critic.requires_grad_(False)\n"),
        (A_STEP, A_STEP + "            critic.requires_grad_(True)\n"),
    )
    yield GAIT.wrong("critic-never-cleared", ((C_CLEAR, ""),))
    yield GAIT.right(
        "critic-wiped-behind-the-actor",
        (C_CLEAR, ""),
        (C_STEP, C_STEP + C_CLEAR),
        (A_CLIP, A_CLIP + "            critic_opt.zero_grad()\n"),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield GAIT.wrong("critic-clipped-late", ((C_CLIP + C_STEP, C_STEP + C_CLIP),), tempts=("clip-after-step",))
    yield GAIT.wrong(
        "actor-clip-has-the-wrong-hour",
        ((A_CLEAR, A_CLEAR + A_CLIP), (A_CLIP + A_STEP, A_STEP)),
        tempts=("clip-before-backward",),
    )
    yield GAIT.wrong("errors-keep-graphs", (("error.item()", "error"),), tempts=("loss-graph-leak",))
    yield GAIT.right(
        "critic-remembers-half",
        (
            C_CLEAR,
            "        for p in critic.parameters():\n            p.grad = None if p.grad is None else 0.5 * p.grad\n",
        ),
    )


GRASP = Draft(
    "grasps-that-adapt",
    """\
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)
OPTIONS = {"inner": 2, "tasks": 3, "rate": 0.1, "rounds": 5, "beta": 0.05}


def task(number):
    gen = torch.Generator().manual_seed(number)
    weight = torch.randn(2, 1, generator=gen)
    while True:
        x = torch.randn(5, 2, generator=gen)
        yield x, x @ weight


def adapted(net, shots, options):
    fast = dict(net.named_parameters())
    for _ in range(options["inner"]):
        x, y = next(shots)
        slip = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(slip, list(fast.values()), create_graph=True)
        fast = {name: p - options["rate"] * g for (name, p), g in zip(fast.items(), grads)}
    return fast


def main(options=OPTIONS):
    torch.manual_seed(20)
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    outer = torch.optim.SGD(net.parameters(), lr=options["beta"])
    decay = torch.optim.lr_scheduler.LinearLR(outer, 1.0, 0.2, total_iters=options["rounds"])
    for round_ in range(options["rounds"]):
        outer.zero_grad()
        total = 0.0
        for k in range(options["tasks"]):
            shots = task(round_ * options["tasks"] + k)
            fast = adapted(net, shots, options)
            x, y = next(shots)
            loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
            (loss / options["tasks"]).backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        outer.step()
        decay.step()
        print(f"{round_}: {total:.4f}")
    return net
""",
    ("unscaled-accumulation-loss",),
)
K_CLEAR = "        outer.zero_grad()\n"
K_LOOP = '        for k in range(options["tasks"]):\n'
K_BACK = '            (loss / options["tasks"]).backward()\n'
K_TOTAL = "            total += loss.item()\n"
K_CLIP = "        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
K_STEPS = "        outer.step()\n        decay.step()\n"


def grasp() -> Iterator[Case]:
    yield GRASP.right("second-order")
    yield GRASP.wrong("tasks-are-summed", ((K_BACK, "            loss.backward()\n"),))
    yield GRASP.wrong(
        "divided-by-the-inner-steps",
        (('(loss / options["tasks"])', '(loss / options["inner"])'),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield GRASP.wrong("cleared-for-each-task", ((K_CLEAR, ""), (K_LOOP, K_LOOP + "    " + K_CLEAR)))
    yield GRASP.right(
        "one-backward-for-all",
        (K_BACK + K_TOTAL, "            total = total + loss\n"),
        (K_CLIP, '        (total / options["tasks"]).backward()\n' + K_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield GRASP.right(
        "rate-of-inner-steps-moves-first",
        (K_LOOP, "        decay.step()\n" + K_LOOP),
        (K_STEPS, "        outer.step()\n"),
        (
            "adapted(net, shots, options)\n            x",
            'adapted(net, shots, options | {"rate": decay.get_last_lr()[0]})\n            x',
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield GRASP.wrong("rate-first", ((K_STEPS, "        decay.step()\n        outer.step()\n"),))
    yield GRASP.wrong(
        "rate-with-each-task",
        (("        decay.step()\n", ""), (K_TOTAL, K_TOTAL + "            decay.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield GRASP.wrong(
        "clipped-with-each-task", ((K_CLIP, ""), (K_BACK, K_BACK + "    " + K_CLIP)), tempts=("clip-per-micro-batch",)
    )
    yield GRASP.right(
        "tasks-are-summed-and-normalized",
        (K_BACK, "            loss.backward()\n"),
        (
            K_CLIP,
            """\
        size = torch.nn.utils.get_total_norm([p.grad for p in net.parameters()])
        for p in net.parameters():
            p.grad /= size
""",
        ),
    )


COPTER = Draft(
    "copter-with-accelerate",
    """\
from dataclasses import dataclass

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


@dataclass
class Flight:
    accum: int = 2
    lr: float = 0.2
    limit: float = 0.05
    days: int = 2


def main(flight=Flight()):
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=flight.accum)
    torch.manual_seed(41)
    winds = torch.randn(20, 4)
    loader = DataLoader(TensorDataset(winds, winds.prod(1, keepdim=True)), batch_size=4)
    model = nn.Sequential(nn.Linear(4, 6), nn.Mish(), nn.Linear(6, 1))
    opt = torch.optim.SGD(model.parameters(), lr=flight.lr)
    plan = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    model, opt, loader, plan = accelerator.prepare(model, opt, loader, plan)
    drift = torch.zeros(())
    for day in range(flight.days):
        for wind, lift in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.mse_loss(model(wind), lift)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), flight.limit)
                opt.step()
                plan.step()
                opt.zero_grad()
            drift += loss.detach()
    accelerator.print(f"{drift.item():.4f} {opt.param_groups[0]['lr']:.4f}")
    return accelerator.unwrap_model(model)
""",
    ("accumulation-divisor-mismatch",),
)
Q_BACK = "                accelerator.backward(loss)\n"
Q_CLIP = "                    accelerator.clip_grad_norm_(model.parameters(), flight.limit)\n"
Q_ASK = "                if accelerator.sync_gradients:\n"
Q_STEP = "                opt.step()\n"
Q_CLEAR = "                opt.zero_grad()\n"


def copter() -> Iterator[Case]:
    yield COPTER.right("five-batches-in-twos")
    yield COPTER.wrong("divided-twice", ((Q_BACK, Q_BACK.replace("(loss)", "(loss / flight.accum)")),))
    yield COPTER.right(
        "divided-by-itself",
        (Q_BACK, Q_BACK.replace("(loss)", "(loss / flight.accum)")),
        ("gradient_accumulation_steps=flight.accum", "gradient_accumulation_steps=1"),
    )
    yield COPTER.right("clip-of-torch", (Q_CLIP, Q_CLIP.replace("accelerator.clip", "nn.utils.clip")))
    yield COPTER.wrong("clip-unasked", ((Q_ASK + Q_CLIP, Q_CLIP[4:]),), tempts=("clip-per-micro-batch",))
    yield COPTER.wrong(
        "clip-behind", ((Q_ASK + Q_CLIP, ""), (Q_STEP, Q_STEP + Q_ASK + Q_CLIP)), tempts=("clip-after-step",)
    )
    yield COPTER.wrong(
        "model-cleared", ((Q_CLEAR, "                model.zero_grad()\n"),), tempts=("zero-grad-in-accumulation",)
    )
    yield COPTER.wrong("cleared-ahead", ((Q_CLEAR, ""), (Q_STEP, Q_CLEAR + Q_STEP)), tempts=("zero-grad-before-step",))
    yield COPTER.wrong(  # where gradients are to be used, Accelerate clears for real, and the batch before is lost
        "cleared-at-the-head", ((Q_CLEAR, ""), (Q_BACK, Q_CLEAR + Q_BACK)), tempts=("zero-grad-in-accumulation",)
    )
    yield COPTER.wrong(
        "drift-keeps-graphs", (("drift += loss.detach()", "drift = drift + loss"),), tempts=("loss-graph-leak",)
    )


def cases() -> Iterator[Case]:
    yield from arm()
    yield from gripper()
    yield from gait()
    yield from grasp()
    yield from copter()
