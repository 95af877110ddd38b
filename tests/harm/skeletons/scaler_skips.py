"""A GradScaler beside hand-made ways out: batches that are not finite, spikes, steps that return early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CONTINUES = Draft(
    "nonfinite-continue",
    """\
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


class Net(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.fc1 = nn.Linear(5, width)
        self.fc2 = nn.Linear(width, 1)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


def make_batches():
    found = []
    for i in range(8):
        inputs = torch.randn(4, 5)
        labels = inputs[:, :1] * 3
        if i == 2:
            inputs[0, 0] = float("inf")
        found.append((inputs, labels))
    return found


def main():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    batches = make_batches()
    skipped = 0
    for epoch in range(2):
        for inputs, labels in batches:
            opt.zero_grad(set_to_none=True)
            loss = F.mse_loss(net(inputs), labels)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            grad_norm = clip_grad_norm_(net.parameters(), 1.0)
            if not torch.isfinite(grad_norm):
                print("non-finite gradient, batch skipped")
                skipped += 1
                opt.zero_grad(set_to_none=True)
                scaler.update()
                continue
            scaler.step(opt)
            scaler.update()
    print("skipped", skipped)
    return net
""",
    ("clip-scaled-gradients", "double-unscale", "missing-scaler-update"),
)

UNSCALE = ("            scaler.unscale_(opt)\n", "")
NO_UPDATE = ("                scaler.update()\n                continue\n", "                continue\n")
WAY_OUT = """\
            if not torch.isfinite(grad_norm):
                print("non-finite gradient, batch skipped")
                skipped += 1
                opt.zero_grad(set_to_none=True)
                scaler.update()
                continue
            scaler.step(opt)
            scaler.update()
"""
TOLD = """\
            if not torch.isfinite(grad_norm):
                print("non-finite gradient, the scaler will skip this step")
                skipped += 1
            scaler.step(opt)
            scaler.update()
"""
UNLESS = """\
            if torch.isfinite(grad_norm):
                scaler.step(opt)
            else:
                skipped += 1
            scaler.update()
"""
LOSS_FIRST = """\
            if not torch.isfinite(loss):
                print("non-finite loss, batch skipped")
                skipped += 1
                continue
            scaler.scale(loss).backward()
"""
WITHOUT = CONTINUES.styled((WAY_OUT, "            scaler.step(opt)\n            scaler.update()\n"))
LOSSES = WITHOUT.styled(("            scaler.scale(loss).backward()\n", LOSS_FIRST))


def continues() -> Iterator[Case]:
    yield CONTINUES.right("updated-on-the-way-out")
    yield CONTINUES.left("scaled-clip-and-no-update", (UNSCALE, NO_UPDATE))
    yield CONTINUES.left(
        "scaled-clip-and-no-update-by-math",
        (
            UNSCALE,
            NO_UPDATE,
            ("import torch\n", "import math\n\nimport torch\n"),
            ("not torch.isfinite(grad_norm)", "not math.isfinite(grad_norm.item())"),
        ),
    )
    yield CONTINUES.wrong(
        "no-update-on-the-way-out",
        (NO_UPDATE,),
        tempts=("double-unscale", "missing-scaler-update"),
        raises="RuntimeError",
    )
    yield CONTINUES.styled((WAY_OUT, TOLD)).right("only-told")
    yield CONTINUES.styled((WAY_OUT, TOLD)).wrong("only-told-of-scaled", (UNSCALE,))
    yield CONTINUES.styled((WAY_OUT, UNLESS)).right("step-unless")
    yield CONTINUES.styled((WAY_OUT, UNLESS)).wrong("step-unless-of-scaled", (UNSCALE,), raises="AssertionError")
    yield LOSSES.right("loss-looked-at-first")
    yield LOSSES.wrong("loss-looked-at-first-clip-of-scaled", (UNSCALE,))
    yield LOSSES.wrong(
        "loss-looked-at-first-no-update",
        (("            scaler.update()\n", ""),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )


RETURNS = Draft(
    "nonfinite-return",
    """\
import math

import torch
from torch import nn


def make_batch(step, rng):
    x = torch.randn(6, 4, generator=rng)
    y = (x[:, 0] > x[:, 1]).float()
    if step in (1, 5):
        x = x * 1e30
    return x, y


def training_step(model, batch, optimizer, scaler, clip, losses):
    x, y = batch
    logits = model(x).squeeze(-1)
    loss = nn.functional.binary_cross_entropy_with_logits(logits, y) + 1e-3 * logits.square().mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = float(nn.utils.clip_grad_norm_(model.parameters(), clip))
    if math.isnan(norm) or math.isinf(norm):
        optimizer.zero_grad()
        scaler.update()
        return None
    scaler.step(optimizer)
    scaler.update()
    losses.append(loss.item())
    return norm


def main():
    rng = torch.Generator().manual_seed(11)
    model = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
    batches = [make_batch(step, rng) for step in range(8)]
    for epoch in range(2):
        losses = []
        norms = [training_step(model, batch, optimizer, scaler, 0.3, losses) for batch in batches]
        kept = [norm for norm in norms if norm is not None]
        print(f"{epoch}: {sum(losses) / len(losses):.5f} from {len(kept)} of {len(norms)} batches")
    return model
""",
    ("clip-scaled-gradients", "double-unscale", "missing-scaler-update"),
)

SKIP_UPDATE = (
    "        optimizer.zero_grad()\n        scaler.update()\n        return None\n",
    "        optimizer.zero_grad()\n        return None\n",
)
SKIP_UNSCALE = ("    scaler.unscale_(optimizer)\n", "")


def returns() -> Iterator[Case]:
    yield RETURNS.right("updated-before-return")
    yield RETURNS.left("scaled-clip-and-no-update", (SKIP_UPDATE, SKIP_UNSCALE))
    yield RETURNS.wrong("no-update-before-return", (SKIP_UPDATE,), raises="RuntimeError")
    yield RETURNS.wrong("clip-of-scaled", (SKIP_UNSCALE,), raises="AssertionError")
    yield RETURNS.right(
        "in-a-finally",
        (
            "    norm = float(nn.utils.clip_grad_norm_(model.parameters(), clip))\n",
            (
                """\
    try:
        norm = float(nn.utils.clip_grad_norm_(model.parameters(), clip, error_if_nonfinite=True))
"""
                "    except RuntimeError:\n"
                "        optimizer.zero_grad()\n"
                "        scaler.update()\n"
                "        return None\n"
            ),
        ),
        (
            """\
    if math.isnan(norm) or math.isinf(norm):
        optimizer.zero_grad()
        scaler.update()
        return None
""",
            "",
        ),
    )


SPIKES = Draft(
    "spikes-and-norms",
    """\
import statistics

import torch
from torch import nn


def grad_norm(parameters):
    squares = [p.grad.detach().square().sum() for p in parameters if p.grad is not None]
    return torch.stack(squares).sum().sqrt().item()


class Recorder:
    def __init__(self):
        self.norms = []

    def is_spike(self, norm, factor=3.0):
        return len(self.norms) >= 3 and norm > factor * statistics.median(self.norms[-5:])


def main():
    model = nn.Sequential(nn.Linear(6, 10), nn.GELU(), nn.Linear(10, 2))
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    recorder = Recorder()
    data = [(torch.randn(5, 6), torch.randint(0, 2, (5,))) for _ in range(9)]
    data[6] = (data[6][0] * 40, data[6][1])
    for _ in range(2):
        for features, label in data:
            loss = nn.functional.cross_entropy(model(features), label)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            norm = grad_norm(params)
            if recorder.is_spike(norm):
                print(f"spike {norm:.3f}")
                optimizer.zero_grad()
                scaler.update()
                continue
            recorder.norms.append(norm)
            nn.utils.clip_grad_norm_(params, 0.25)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    print(f"largest {max(recorder.norms):.3f}")
    return model
""",
    ("clip-scaled-gradients",),
)

SPIKE_NORM = "            scaler.unscale_(optimizer)\n            norm = grad_norm(params)\n"
SPIKE_OUT = ("                scaler.update()\n                continue\n", "                continue\n")


def spikes() -> Iterator[Case]:
    yield SPIKES.right("measured-unscaled")
    yield SPIKES.right(
        "measured-scaled-and-divided",
        (SPIKE_NORM, "            norm = grad_norm(params) / scaler.get_scale()\n"),
        SPIKE_OUT,
        (
            "            nn.utils.clip_grad_norm_(params, 0.25)\n",
            "            scaler.unscale_(optimizer)\n            nn.utils.clip_grad_norm_(params, 0.25)\n",
        ),
    )
    # the ratio to the median does not depend on the scale, but the clip does
    yield (
        SPIKES.styled(
            SPIKE_OUT,
            (SPIKE_NORM, "            norm = grad_norm(params)\n"),
            ('print(f"spike {norm:.3f}")', 'print("spike")'),
            ('    print(f"largest {max(recorder.norms):.3f}")\n', ""),
        )
        .styled(
            (
                "            nn.utils.clip_grad_norm_(params, 0.25)\n",
                "            scaler.unscale_(optimizer)\n            nn.utils.clip_grad_norm_(params, 0.25)\n",
            ),
        )
        .wrong("unscale-needed-below-the-skip", (("            scaler.unscale_(optimizer)\n", ""),))
    )
    yield SPIKES.wrong("skip-without-update", (SPIKE_OUT,), tempts=("double-unscale",), raises="RuntimeError")
    yield SPIKES.right(
        "never-skipped-nor-clipped",
        ("            nn.utils.clip_grad_norm_(params, 0.25)\n", ""),
        (SPIKE_NORM, "            norm = grad_norm(params)\n"),
        ("                optimizer.zero_grad()\n                scaler.update()\n                continue\n", ""),
        ('print(f"spike {norm:.3f}")', 'print("spike")'),
        (
            '    print(f"largest {max(recorder.norms):.3f}")\n',
            '    print(f"largest {max(recorder.norms) / scaler.get_scale():.3f}")\n',
        ),
    )
    yield SPIKES.wrong(
        "clip-after-the-norm-is-kept",
        (
            ("            scaler.step(optimizer)\n", ""),
            (
                "            nn.utils.clip_grad_norm_(params, 0.25)\n",
                "            scaler.step(optimizer)\n            nn.utils.clip_grad_norm_(params, 0.25)\n",
            ),
        ),
        tempts=("clip-after-step",),
    )


def cases() -> Iterator[Case]:
    yield from continues()
    yield from returns()
    yield from spikes()
