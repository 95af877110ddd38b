"""Losses scaled for several optimizers, optimizers that live in hooks, and tasks that clear only their own part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SCALED = Draft(
    "one-scaler-for-named-optimizers",
    """\
import math

import torch
from torch import nn
from torch.amp import GradScaler

CONFIG = {"precision": "fp16", "limits": {"table": 0.2, "rest": 0.6}, "lr": {"table": 0.5, "rest": 0.05}}
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(12, 6)
        self.rest = nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, pairs):
        return self.rest(self.table(pairs).flatten(1)).squeeze(1)


def setup(model):
    parts = {"table": model.table, "rest": model.rest}
    optimizers = {key: torch.optim.SGD(part.parameters(), lr=CONFIG["lr"][key]) for key, part in parts.items()}
    scaler = GradScaler("cpu", init_scale=512.0, enabled=CONFIG["precision"] == "fp16")
    return parts, optimizers, scaler


def run(model, batches):
    parts, optimizers, scaler = setup(model)
    dtype = DTYPES[CONFIG["precision"]]
    for step, (pairs, liked) in enumerate(batches):
        for optimizer in optimizers.values():
            optimizer.zero_grad()
        with torch.autocast("cpu", dtype=dtype):
            loss = nn.functional.binary_cross_entropy_with_logits(model(pairs), liked)
        if not math.isfinite(loss.item()):
            print(f"{step} skipped")
            continue
        scaler.scale(loss).backward()
        norms = {}
        for key, optimizer in optimizers.items():
            scaler.unscale_(optimizer)
            norms[key] = nn.utils.clip_grad_norm_(parts[key].parameters(), CONFIG["limits"][key])
            scaler.step(optimizer)
        scaler.update()
        print(step, *(f"{key} {norm.item():.2f}" for key, norm in norms.items()))


def main():
    torch.manual_seed(64)
    model = Ranker()
    batches = [(torch.randint(0, 12, (5, 2)), torch.randint(0, 2, (5,)).float()) for _ in range(6)]
    batches[3][1][0] = float("nan")  # a label got lost
    run(model, batches)
    return model
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

R_UNSCALE = "            scaler.unscale_(optimizer)\n"
R_STEP = "            scaler.step(optimizer)\n"
R_UPDATE = "        scaler.update()\n"
R_BACKWARD = "        scaler.scale(loss).backward()\n"
UNLIMITED = SCALED.styled(
    (
        "        norms = {}\n        for key, optimizer in optimizers.items():\n",
        "        for optimizer in optimizers.values():\n",
    ),
    (R_UNSCALE, ""),
    ('            norms[key] = nn.utils.clip_grad_norm_(parts[key].parameters(), CONFIG["limits"][key])\n', ""),
    (
        '        print(step, *(f"{key} {norm.item():.2f}" for key, norm in norms.items()))\n',
        '        print(step, f"{loss.item():.4f}")\n',
    ),
    ("    parts, optimizers, scaler = setup(model)\n", "    optimizers, scaler = setup(model)\n"),
    ("    return parts, optimizers, scaler\n", "    return optimizers, scaler\n"),
)
BFLOAT = SCALED.styled(('"precision": "fp16"', '"precision": "bf16"'))


def scaled() -> Iterator[Case]:
    yield SCALED.right("unscaled-and-clipped-one-by-one", tempts=("double-unscale", "missing-scaler-update"))
    yield BFLOAT.right("switched-off-for-bfloat16", tempts=("scaler-with-bfloat16",))
    yield SCALED.right(
        "all-unscaled-then-all-stepped",
        (R_STEP + R_UPDATE, "        for optimizer in optimizers.values():\n" + R_STEP + R_UPDATE),
    )
    yield SCALED.wrong("clipped-with-the-scale-on", ((R_UNSCALE, ""),))
    yield SCALED.wrong(
        "unscaled-together-and-one-by-one",
        (
            (
                R_BACKWARD,
                R_BACKWARD + "        for optimizer in optimizers.values():\n            scaler.unscale_(optimizer)\n",
            ),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield SCALED.wrong("scale-never-moves", ((R_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield UNLIMITED.wrong(
        "loss-goes-past-the-scaler",
        ((R_BACKWARD, "        loss.backward()\n"),),
        tempts=("unscaled-backward",),
        raises="AssertionError",
    )
    yield UNLIMITED.right("stepped-one-after-the-other", tempts=("missing-scaler-update",))
    yield UNLIMITED.wrong(
        "table-goes-past-the-scaler",
        (
            (
                "        for optimizer in optimizers.values():\n" + R_STEP,
                '        optimizers["table"].step()\n        scaler.step(optimizers["rest"])\n',
            ),
        ),
        tempts=("step-bypasses-scaler",),
    )
    yield BFLOAT.wrong(
        "on-for-bfloat16",
        ((', enabled=CONFIG["precision"] == "fp16")', ")"),),
        fine=(
            (
                ('    scaler = GradScaler("cpu", init_scale=512.0, enabled=CONFIG["precision"] == "fp16")\n', ""),
                ("    return parts, optimizers, scaler\n", "    return parts, optimizers\n"),
                ("    parts, optimizers, scaler = setup(model)\n", "    parts, optimizers = setup(model)\n"),
                (R_BACKWARD, "        loss.backward()\n"),
                (R_UNSCALE, ""),
                (R_STEP + R_UPDATE, "            optimizer.step()\n"),
            ),
        ),
        tempts=("scaler-with-bfloat16",),
    )


HOOKED = Draft(
    "optimizers-inside-the-backward",
    """\
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        return x + self.mlp(self.norm(x))


def step_in_backward(model, lr):
    optimizers = {p: torch.optim.AdamW([p], lr=lr) for p in model.parameters()}

    def hook(p):
        nn.utils.clip_grad_norm_([p], 1.0)  # no norm of the whole is known here
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return optimizers


def main():
    torch.manual_seed(8)
    model = nn.Sequential(Block(6), Block(6), nn.Linear(6, 2))
    optimizers = step_in_backward(model, lr=1e-2)
    for it in range(8):
        for optimizer in optimizers.values():
            for group in optimizer.param_groups:
                group["lr"] = 1e-2 * (1 - it / 8)
        x = torch.randn(10, 6)
        loss = F.mse_loss(model(x), x[:, :2].sin())
        loss.backward()
        if it % 4 == 3:
            print(f"iter {it} loss {loss.item():.5f}")
    return model
""",
    ("missing-zero-grad", "clip-after-step"),
)

O_CLIP = "        nn.utils.clip_grad_norm_([p], 1.0)  # no norm of the whole is known here\n"
O_STEP = "        optimizers[p].step()\n"
O_CLEAR = "        optimizers[p].zero_grad()\n"


def hooked() -> Iterator[Case]:
    yield HOOKED.right("steps-where-the-gradient-is-made")
    yield HOOKED.right(
        "cleared-by-hand",
        (O_CLEAR, "        p.grad = None\n"),
        (O_CLIP, ""),
    )
    yield HOOKED.right(
        "limited-while-it-is-made",
        (O_CLIP, ""),
        (
            "        p.register_post",
            "        p.register_hook(lambda grad: grad.clamp(-0.05, 0.05))\n        p.register_post",
        ),
    )
    yield HOOKED.wrong("hook-clears-nothing", ((O_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield HOOKED.wrong("hook-limits-too-late", ((O_CLIP + O_STEP, O_STEP + O_CLIP),), tempts=("clip-after-step",))


TASKS = Draft(
    "tasks-with-their-own-heads",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Shared(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(7, 10), nn.Tanh())
        self.heads = nn.ModuleDict({task: nn.Linear(10, size) for task, size in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](self.body(x))


def objective(task, out, y):
    return nn.functional.mse_loss(out, y) if task == "depth" else nn.functional.cross_entropy(out, y)


def draw(task):
    y = torch.randn(6, 1) if task == "depth" else torch.randint(0, 4, (6,))
    return torch.randn(6, 7), y


def main():
    torch.manual_seed(55)
    weights = {"depth": 0.5, "class": 1.0, "edge": 0.25}
    model = Shared({"depth": 1, "class": 4, "edge": 4})
    body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1, momentum=0.9)
    head_opts = {task: torch.optim.SGD(head.parameters(), lr=0.2) for task, head in model.heads.items()}
    for it in range(1, 9):
        body_opt.zero_grad()
        for task, weight in weights.items():
            x, y = draw(task)
            loss = weight * objective(task, model(x, task), y)
            loss.backward()
            print(it, task, f"{loss.item():.4f}")
        nn.utils.clip_grad_norm_(model.body.parameters(), 0.3)
        body_opt.step()
        for opt in head_opts.values():
            opt.step()
            opt.zero_grad()
    return model
""",
    ("zero-grad-before-step", "unscaled-accumulation-loss"),
)

B_CLEAR = "        body_opt.zero_grad()\n"
B_HEADS = """\
        for opt in head_opts.values():
            opt.step()
            opt.zero_grad()
"""
B_CLIP = "        nn.utils.clip_grad_norm_(model.body.parameters(), 0.3)\n"
B_LOSS = "            loss.backward()\n"


def tasks() -> Iterator[Case]:
    yield TASKS.right("body-hears-all-tasks")
    yield TASKS.right(
        "heads-move-at-once-and-the-body-in-the-end",
        (B_HEADS, ""),
        (B_LOSS, B_LOSS + "            head_opts[task].step()\n            head_opts[task].zero_grad()\n"),
        tempts=("zero-grad-in-accumulation", "clip-per-micro-batch"),
    )
    yield TASKS.right(
        "edges-move-at-every-second-iteration",
        (
            B_HEADS,
            """\
        for task, opt in head_opts.items():
            if task == "edge" and it % 2:
                continue  # gathers two batches: its task is a small one
            opt.step()
            opt.zero_grad()
""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield TASKS.right(
        "body-comes-last",
        (B_CLIP + "        body_opt.step()\n" + B_HEADS, B_HEADS + B_CLIP + "        body_opt.step()\n"),
        tempts=("clip-after-step", "zero-grad-before-step"),
    )
    yield TASKS.wrong(
        "heads-cleared-in-front-of-their-step",
        (
            (
                B_HEADS,
                B_HEADS.replace(
                    "            opt.step()\n            opt.zero_grad()\n",
                    "            opt.zero_grad()\n            opt.step()\n",
                ),
            ),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield TASKS.wrong("body-never-cleared", ((B_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield TASKS.wrong(
        "body-limited-in-front-of-the-backwards",
        ((B_CLIP, ""), (B_CLEAR, B_CLEAR + B_CLIP)),
        tempts=("clip-before-backward",),
    )
    yield TASKS.wrong(
        "body-cleared-for-each-task",
        (
            (B_CLEAR, ""),
            ("            x, y = draw(task)\n", "            body_opt.zero_grad()\n            x, y = draw(task)\n"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )


def cases() -> Iterator[Case]:
    yield from scaled()
    yield from hooked()
    yield from tasks()
