"""Schedules that are interpreted, networks that are shared, hooks on the step, ensembles, methods by other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PIPELINE = Draft(
    "schedule-that-is-interpreted",
    """\
from collections import deque

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def one_forward_one_backward(micros, warmup=1):
    for _ in range(warmup):
        yield "forward"
    for _ in range(micros - warmup):
        yield "forward"
        yield "backward"
    for _ in range(warmup):
        yield "backward"
    yield "update"


class Stages:
    def __init__(self, first, second, micros):
        self.first, self.second, self.micros = first, second, micros
        self.optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.2, momentum=0.9)
        self.waiting = deque()
        self.loss = 0.0

    def forward(self, batch):
        x, y = batch
        sent = self.first(x)
        received = sent.detach().requires_grad_(True)
        loss = nn.functional.mse_loss(self.second(received), y)
        self.loss += loss.item() / self.micros
        self.waiting.append((sent, received, loss / self.micros))

    def backward(self):
        sent, received, loss = self.waiting.popleft()
        loss.backward()
        sent.backward(received.grad)

    def update(self):
        nn.utils.clip_grad_norm_([*self.first.parameters(), *self.second.parameters()], 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def run(self, batches):
        batches = iter(batches)
        self.loss = 0.0
        for action in one_forward_one_backward(self.micros):
            match action:
                case "forward":
                    self.forward(next(batches))
                case "backward":
                    self.backward()
                case "update":
                    self.update()
        return self.loss


def main():
    torch.manual_seed(21)
    first, second = nn.Sequential(nn.Linear(3, 6), nn.Tanh()), nn.Linear(6, 1)
    data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(12)]
    stages = Stages(first, second, micros=4)
    for lo in range(0, 12, 4):
        print(f"{lo} {stages.run(data[lo : lo + 4]):.5f}")
    return first, second
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

PI_CLIP = "        nn.utils.clip_grad_norm_([*self.first.parameters(), *self.second.parameters()], 1.0)\n"
PI_STEP = "        self.optimizer.step()\n"
PI_CLEAR = "        self.optimizer.zero_grad()\n"
PI_BACK = "        sent.backward(received.grad)\n"


def pipeline() -> Iterator[Case]:
    yield PIPELINE.right("two-backwards-for-each", tempts=("unscaled-accumulation-loss", "loss-graph-leak"))
    yield PIPELINE.right(
        "divided-in-what-is-sent-back",
        ("self.waiting.append((sent, received, loss / self.micros))", "self.waiting.append((sent, received, loss))"),
        ("        loss.backward()\n", "        loss.backward(torch.full_like(loss, 1 / self.micros))\n"),
    )
    yield PIPELINE.right(
        "cleared-when-a-run-begins",
        (PI_CLEAR, ""),
        (
            "        self.loss = 0.0\n        for",
            "        self.optimizer.zero_grad()\n        self.loss = 0.0\n        for",
        ),
        tempts=("missing-zero-grad",),
    )
    yield PIPELINE.wrong(
        "summed",
        (("self.waiting.append((sent, received, loss / self.micros))", "self.waiting.append((sent, received, loss))"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield PIPELINE.wrong(
        "cleared-in-each-forward",
        ((PI_CLEAR, ""), ("        x, y = batch\n", "        self.optimizer.zero_grad()\n        x, y = batch\n")),
    )
    yield PIPELINE.wrong(
        "clipped-in-each-backward", ((PI_CLIP, ""), (PI_BACK, PI_BACK + PI_CLIP)), tempts=("clip-per-micro-batch",)
    )
    yield PIPELINE.wrong(
        "cleared-at-the-wrong-end-of-the-update",
        ((PI_CLIP, PI_CLEAR + PI_CLIP), (PI_STEP + PI_CLEAR, PI_STEP)),
        tempts=("zero-grad-before-step",),
    )


WORKERS = Draft(
    "workers-and-a-shared-network",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.actor, self.critic = nn.Linear(8, 2), nn.Linear(8, 1)

    def forward(self, state):
        hidden = torch.relu(self.body(state))
        return self.actor(hidden), self.critic(hidden).squeeze(-1)


def hand_over(local, shared):
    for mine, theirs in zip(local.parameters(), shared.parameters()):
        theirs.grad = mine.grad.clone()


class Worker:
    def __init__(self, rank, shared, optimizer):
        self.shared, self.optimizer = shared, optimizer
        self.local = Policy()
        self.generator = torch.Generator().manual_seed(rank)

    def rollout(self, steps=5):
        states = torch.randn(steps, 4, generator=self.generator)
        logits, values = self.local(states)
        actions = (states[:, 0] > 0).long()
        rewards = states.sum(dim=1).tanh()
        advantage = rewards - values
        policy_loss = (F.cross_entropy(logits, actions, reduction="none") * advantage.detach()).sum()
        return policy_loss, advantage.pow(2).sum()

    def train_once(self):
        self.local.load_state_dict(self.shared.state_dict())
        self.local.zero_grad()
        policy_loss, value_loss = self.rollout()
        (policy_loss + 0.5 * value_loss).backward()
        norm = nn.utils.clip_grad_norm_(self.local.parameters(), 2.0)
        hand_over(self.local, self.shared)
        self.optimizer.step()
        return policy_loss.item(), norm.item()


def main():
    torch.manual_seed(13)
    shared = Policy()
    optimizer = torch.optim.RMSprop(shared.parameters(), lr=0.01)
    workers = [Worker(rank, shared, optimizer) for rank in range(3)]
    for turn in range(4):
        for worker in workers:
            loss, norm = worker.train_once()
            print(f"{turn} {loss:.4f} {norm:.4f}")
    return shared
""",
    ("missing-zero-grad", "clip-after-step"),
)

W_CLEAR = "        self.local.zero_grad()\n"
W_CLIP = "        norm = nn.utils.clip_grad_norm_(self.local.parameters(), 2.0)\n"
W_HAND = "        hand_over(self.local, self.shared)\n"


def workers() -> Iterator[Case]:
    yield WORKERS.right("gradients-are-handed-over")
    yield WORKERS.right(
        "shared-network-sums-what-all-hand-over",
        (
            "        theirs.grad = mine.grad.clone()\n",
            "        theirs.grad = mine.grad.clone() if theirs.grad is None else theirs.grad + mine.grad\n",
        ),
        ("        self.optimizer.step()\n", ""),
        (
            '            print(f"{turn} {loss:.4f} {norm:.4f}")\n',
            '            print(f"{turn} {loss:.4f} {norm:.4f}")\n        # a sum over the workers, like the sum over a rollout\n        optimizer.step()\n        optimizer.zero_grad()\n',
        ),
        tempts=("unscaled-accumulation-loss", "clip-per-micro-batch"),
    )
    yield WORKERS.right(
        "clipped-where-it-is-stepped",
        (W_CLIP + W_HAND, W_HAND + W_CLIP.replace("self.local", "self.shared")),
    )
    yield WORKERS.wrong("local-one-never-cleared", ((W_CLEAR, ""),))
    yield WORKERS.wrong(
        "only-the-shared-one-is-cleared",
        ((W_CLEAR, "        self.optimizer.zero_grad()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield WORKERS.wrong(
        "clip-behind-the-step",
        (
            (W_CLIP, ""),
            (
                "        self.optimizer.step()\n",
                "        self.optimizer.step()\n        norm = nn.utils.clip_grad_norm_(self.shared.parameters(), 2.0)\n",
            ),
        ),
    )


STEP_HOOKS = Draft(
    "hooks-on-the-step",
    """\
import torch
from torch import nn, optim
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def parameters_of(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"]]


def equip(optimizer, limit, warmup):
    scheduler = LambdaLR(optimizer, lambda update: min(1.0, (update + 1) / warmup))
    norms = []

    def before(optimizer, args, kwargs):
        norms.append(nn.utils.clip_grad_norm_(parameters_of(optimizer), limit).item())

    def after(optimizer, args, kwargs):
        optimizer.zero_grad()
        scheduler.step()

    optimizer.register_step_pre_hook(before)
    optimizer.register_step_post_hook(after)
    return norms


def main():
    torch.manual_seed(15)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    norms = equip(optimizer, limit=1.0, warmup=3)
    loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=4)
    losses = []
    for epoch in range(2):
        for number, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x), y)
            loss.mul(0.5).backward()
            losses.append(loss.item())
            if number % 2:
                optimizer.step()
        print(f"{epoch} {float(sum(losses)) / len(losses):.4f} {max(norms):.4f} {optimizer.param_groups[0]['lr']:.3f}")
    return model
""",
    ("missing-zero-grad", "scheduler-before-optimizer"),
)

HK_CLEAR = "        optimizer.zero_grad()\n"
HK_BACK = "            loss.mul(0.5).backward()\n"


def step_hooks() -> Iterator[Case]:
    yield STEP_HOOKS.right("clip-clear-and-schedule-in-hooks")
    yield STEP_HOOKS.right(
        "hook-divides",
        (HK_BACK, "            loss.backward()\n"),
        (
            "        norms.append(nn",
            "        for p in parameters_of(optimizer):\n            p.grad /= 2\n        norms.append(nn",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield STEP_HOOKS.right(
        "hook-leaves-half-behind",
        (
            HK_CLEAR,
            "        for p in parameters_of(optimizer):  # a momentum of one half\n            p.grad.mul_(0.5)\n",
        ),
    )
    yield STEP_HOOKS.wrong("nobody-clears", ((HK_CLEAR, ""),))
    yield STEP_HOOKS.wrong(
        "summed", ((HK_BACK, "            loss.backward()\n"),), tempts=("unscaled-accumulation-loss",)
    )
    yield STEP_HOOKS.wrong(
        "losses-keep-graphs", (("losses.append(loss.item())", "losses.append(loss)"),), tempts=("loss-graph-leak",)
    )
    yield STEP_HOOKS.wrong(
        "clip-in-the-hook-behind",
        (
            (
                "        norms.append(nn.utils.clip_grad_norm_(parameters_of(optimizer), limit).item())\n\n    def after(optimizer, args, kwargs):\n",
                "        pass\n\n    def after(optimizer, args, kwargs):\n        norms.append(nn.utils.clip_grad_norm_(parameters_of(optimizer), limit).item())\n",
            ),
        ),
        tempts=("clip-after-step",),
    )


ENSEMBLE = Draft(
    "members-of-an-ensemble",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Ensemble(nn.ModuleList):
    def forward(self, x):
        return torch.stack([member(x) for member in self])


def member():
    return nn.Sequential(nn.Linear(3, 6), nn.SiLU(), nn.Dropout(0.1), nn.Linear(6, 1))


def spread(ensemble, x):
    was = [m.training for m in ensemble]
    ensemble.eval()
    with torch.no_grad():
        value = ensemble(x).std(dim=0).mean().item()
    for m, training in zip(ensemble, was):
        m.train(training)
    return value


def main():
    torch.manual_seed(25)
    ensemble = Ensemble(member() for _ in range(3))
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1 * (n + 1), momentum=0.9) for n, m in enumerate(ensemble)]
    schedulers = [torch.optim.lr_scheduler.ExponentialLR(o, 0.7) for o in optimizers]
    data = [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(6)]
    for epoch in range(2):
        for x, y in data:
            errors = (ensemble(x) - y).square().mean(dim=(1, 2))
            for optimizer in optimizers:
                optimizer.zero_grad()
            errors.sum().backward()  # each member sees its own error only
            for m, optimizer in zip(ensemble, optimizers):
                nn.utils.clip_grad_norm_(m.parameters(), 0.2)
                optimizer.step()
        for scheduler in schedulers:
            scheduler.step()
        print(f"{epoch} {errors.mean().item():.4f} spread {spread(ensemble, x):.4f}")
    return ensemble
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

EN_CLEAR = "            for optimizer in optimizers:\n                optimizer.zero_grad()\n"
EN_CLIP = "                nn.utils.clip_grad_norm_(m.parameters(), 0.2)\n"


def ensemble() -> Iterator[Case]:
    yield ENSEMBLE.right("sum-over-members", tempts=("missing-train-mode", "unscaled-accumulation-loss"))
    yield ENSEMBLE.right(
        "each-error-by-itself",
        (
            "            errors.sum().backward()  # each member sees its own error only\n",
            "            for error in errors:\n                error.backward(retain_graph=True)\n",
        ),
    )
    yield ENSEMBLE.right(
        "members-take-turns",
        (EN_CLEAR, ""),
        (
            "            for m, optimizer in zip(ensemble, optimizers):\n"
            + EN_CLIP
            + "                optimizer.step()\n",
            """\
            turn = (turn + 1) % len(ensemble)
            nn.utils.clip_grad_norm_(ensemble[turn].parameters(), 0.2)
            optimizers[turn].step()
            optimizers[turn].zero_grad()
""",
        ),
        ("            errors.sum().backward()", "            errors.div(len(ensemble)).sum().backward()"),
        ("    for epoch in range(2):\n", "    turn = -1\n    for epoch in range(2):\n"),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield ENSEMBLE.wrong("nobody-is-cleared", ((EN_CLEAR, ""),))
    yield ENSEMBLE.wrong(
        "only-the-last-one-is-cleared",
        ((EN_CLEAR, "            optimizer = optimizers[-1]\n            optimizer.zero_grad()\n"),),
    )
    yield ENSEMBLE.wrong(
        "clip-behind",
        ((EN_CLIP + "                optimizer.step()\n", "                optimizer.step()\n" + EN_CLIP),),
        tempts=("clip-after-step",),
    )
    yield ENSEMBLE.wrong(
        "spread-leaves-eval",
        (
            ("    for m, training in zip(ensemble, was):\n        m.train(training)\n", ""),
            ("    was = [m.training for m in ensemble]\n", ""),
        ),
        fine=(
            (
                ("    for m, training in zip(ensemble, was):\n        m.train(training)\n", ""),
                ("    was = [m.training for m in ensemble]\n", ""),
                ("    for epoch in range(2):\n", "    for epoch in range(2):\n        ensemble.train()\n"),
            ),
        ),
        tempts=("missing-train-mode",),
    )


NAMES = Draft(
    "methods-by-other-names",
    """\
from functools import partial

import torch
from torch import nn
from torch.amp import GradScaler, autocast

TORCH = {"seed": 6, "lr": 0.1, "scale": 64.0}


def pipeline(optimizer, scaler, parameters, *, limit, micro):
    half = partial(autocast, "cpu", dtype=torch.float16)
    clip = partial(nn.utils.clip_grad_norm_, parameters, limit)
    unscale, step, update = partial(scaler.unscale_, optimizer), partial(scaler.step, optimizer), scaler.update
    clear = partial(optimizer.zero_grad, set_to_none=True)
    backward = lambda loss: scaler.scale(loss / micro).backward()

    def finish():
        unscale()
        norm = clip()
        step()
        update()
        clear()
        return norm.item()

    return half, backward, finish


def main():
    torch.manual_seed(TORCH["seed"])
    model = nn.Sequential(nn.Linear(4, 8), nn.Hardswish(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=TORCH["lr"], momentum=0.9)
    scaler = GradScaler("cpu", init_scale=TORCH["scale"])
    half, backward, finish = pipeline(optimizer, scaler, list(model.parameters()), limit=0.5, micro=2)
    source = iter([(torch.randn(4, 4), torch.randn(4, 2)) for _ in range(10)])
    ready = False
    while (batch := next(source, None)) is not None:
        x, y = batch
        with half():
            loss = nn.functional.mse_loss(model(x), y)
        backward(loss)
        if ready:
            print(f"loss {loss.item():.3f} norm {finish():.3f}")
        ready = not ready
    return model
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)


def names() -> Iterator[Case]:
    yield NAMES.right("bound-and-partial", tempts=("missing-zero-grad", "unscaled-accumulation-loss"))
    yield NAMES.right(
        "unscaled-inside-the-clip",
        ("        unscale()\n        norm = clip()\n", "        norm = clip()\n"),
        (
            "    clip = partial(nn.utils.clip_grad_norm_, parameters, limit)\n",
            "    clip = lambda: unscale() or nn.utils.clip_grad_norm_(parameters, limit)\n",
        ),
    )
    yield NAMES.wrong("clipped-while-scaled", (("        unscale()\n", ""),))
    yield NAMES.wrong(
        "never-updated", (("        update()\n", ""),), tempts=("missing-scaler-update",), raises="RuntimeError"
    )
    yield NAMES.wrong("never-cleared", (("        clear()\n", ""),), tempts=("missing-zero-grad",))
    yield NAMES.wrong(
        "parameters-walked-by-the-first-clip",
        (("list(model.parameters()), limit", "model.parameters(), limit"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield NAMES.wrong(
        "summed", (("scaler.scale(loss / micro)", "scaler.scale(loss)"),), tempts=("unscaled-accumulation-loss",)
    )


AGAIN = Draft(
    "steps-taken-again",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def loss_of(model, batch):
    x, y = batch
    return nn.functional.mse_loss(model(x), y)


def snapshot(model, optimizer):
    return copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())


def restore(model, optimizer, saved):
    weights, state = saved
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)


def train(model, batches, lr=4.0, tries=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.3)
    for number, batch in enumerate(batches):
        saved = snapshot(model, optimizer)
        optimizer.zero_grad()
        loss = loss_of(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for attempt in range(tries):
            for group in optimizer.param_groups:
                group["lr"] = lr / 4**attempt
            optimizer.step()  # the same gradient, a smaller rate
            with torch.no_grad():
                after = loss_of(model, batch)
            if after < loss:
                break
            restore(model, optimizer, saved)
        print(f"{number} {loss.item():.4f} -> {after.item():.4f} in {attempt + 1}")


def main():
    torch.manual_seed(30)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    train(model, [(torch.randn(6, 3), torch.randn(6, 1)) for _ in range(8)])
    return model
""",
    ("missing-zero-grad", "clip-after-step"),
)

AG_CLEAR = "        optimizer.zero_grad()\n"
AG_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"


def again() -> Iterator[Case]:
    yield AGAIN.right("same-gradient-smaller-rate")
    yield AGAIN.right(
        "clipped-harder-each-time",
        (AG_CLIP, ""),
        (
            '                group["lr"] = lr / 4**attempt\n',
            '                group["lr"] = lr / 2\n            nn.utils.clip_grad_norm_(model.parameters(), 1.0 / 4**attempt)\n',
        ),
        tempts=("clip-per-micro-batch", "clip-after-step"),
    )
    yield AGAIN.right(
        "cleared-where-it-is-accepted",
        (AG_CLEAR, ""),
        ("        print(f", "        for p in model.parameters():\n            p.grad = None\n        print(f"),
    )
    yield AGAIN.wrong("never-cleared", ((AG_CLEAR, ""),))
    yield AGAIN.wrong(
        "clip-behind-all-attempts",
        ((AG_CLIP, ""), ("        print(f", AG_CLIP + "        print(f")),
        tempts=("clip-after-step",),
    )
    yield AGAIN.wrong(
        "cleared-in-front-of-the-attempts",
        ((AG_CLEAR, ""), (AG_CLIP, AG_CLEAR + AG_CLIP)),
        tempts=("zero-grad-before-step",),
    )


def cases() -> Iterator[Case]:
    yield from pipeline()
    yield from workers()
    yield from step_hooks()
    yield from ensemble()
    yield from names()
    yield from again()
