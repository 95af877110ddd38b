"""Denoisers in half precision: a scaler, a window, an average of the weights, and a configuration in a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

DENOISER = Draft(
    "denoiser-with-scaler",
    """\
import torch
from torch import nn

CONFIG = {
    "optim": {"lr": 0.02, "max_norm": 0.05},
    "train": {"iterations": 5, "grad_accum": 2, "amp": True},
    "diffusion": {"levels": 10},
}


class Denoiser(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.level = nn.Embedding(levels, 8)
        self.inner = nn.Linear(4, 8)
        self.outer = nn.Linear(8, 4)

    def forward(self, x, t):
        return self.outer(torch.relu(self.inner(x) + self.level(t)))


def noisy(x, levels):
    t = torch.randint(0, levels, (len(x),))
    keep = torch.linspace(0.99, 0.05, levels)[t, None]
    noise = torch.randn_like(x)
    return keep.sqrt() * x + (1 - keep).sqrt() * noise, t, noise


def cycle(data, batch):
    while True:
        yield from data[torch.randperm(len(data))].split(batch)


def build(config):
    model = Denoiser(config["diffusion"]["levels"])
    average = Denoiser(config["diffusion"]["levels"]).requires_grad_(False)
    average.load_state_dict(model.state_dict())
    optimizer = torch.optim.Adam(model.parameters(), lr=config["optim"]["lr"])
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 3))
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=2, enabled=config["train"]["amp"])
    return model, average, optimizer, scheduler, scaler


@torch.no_grad()
def follow(average, model, rate=0.8):
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - rate)


def main():
    torch.manual_seed(29)
    config, accum = CONFIG, CONFIG["train"]["grad_accum"]
    model, average, optimizer, scheduler, scaler = build(config)
    source = cycle(torch.randn(24, 4) * 0.3 + 1, 6)
    iteration = 0
    while iteration < config["train"]["iterations"]:
        shown = 0.0
        for _ in range(accum):
            x, t, noise = noisy(next(source), config["diffusion"]["levels"])
            with torch.autocast("cpu", dtype=torch.float16, enabled=False):
                loss = (model(x, t) - noise).pow(2).mean() / accum
            scaler.scale(loss).backward()
            shown += loss.item()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), config["optim"]["max_norm"])
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        scheduler.step()
        follow(average, model)
        iteration += 1
        print(f"{iteration} loss {shown:.4f} norm {norm.item():.3f}")
    return model, average
""",
    ("clip-scaled-gradients", "double-unscale", "unscaled-accumulation-loss"),
)

BROKEN = DENOISER.styled(
    (
        "    source = cycle(torch.randn(24, 4) * 0.3 + 1, 6)\n",
        """\
    data = torch.randn(24, 4) * 0.3 + 1
    data[5] = float("inf")  # the scaler is to skip it
    source = cycle(data, 6)
""",
    ),
)

D_BACK = "            scaler.scale(loss).backward()\n"
D_MEAN = D_BACK.replace("(loss)", "(loss / accum)")
D_SHOW = "            shown += loss.item()\n"
D_UNSCALE = "        scaler.unscale_(optimizer)\n"
D_CLIP = '        norm = nn.utils.clip_grad_norm_(model.parameters(), config["optim"]["max_norm"])\n'
D_STEP = "        scaler.step(optimizer)\n"
D_UPDATE = "        scaler.update()\n"
D_CLEAR = "        optimizer.zero_grad(set_to_none=True)\n"
D_SCHEDULE = "        scheduler.step()\n"


def cases() -> Iterator[Case]:
    yield DENOISER.right(
        "limit-grows-with-the-scale",
        (D_UNSCALE, ""),
        ('config["optim"]["max_norm"])\n', 'config["optim"]["max_norm"] * scaler.get_scale())\n'),
        tempts=("clip-scaled-gradients",),
    )
    yield DENOISER.right(
        "divided-by-hand-behind-the-unscale",
        (" / accum\n", "\n"),
        (
            D_CLIP,
            """\
        for weight in model.parameters():
            if weight.grad is not None:
                weight.grad.div_(accum)
"""
            + D_CLIP,
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield DENOISER.wrong(
        "limit-on-scaled-slopes",
        ((D_UNSCALE, ""),),
        fine=(
            (
                (D_UNSCALE, ""),
                ('config["optim"]["max_norm"])\n', 'config["optim"]["max_norm"] * scaler.get_scale())\n'),
            ),
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield DENOISER.wrong(
        "unscaled-in-each-pass",
        ((D_UNSCALE, ""), (D_SHOW, D_SHOW + "    " + D_UNSCALE)),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield DENOISER.together(
        "mean-forgotten-and-scale-never-moved",
        ((" / accum\n", "\n"),),
        ((D_UPDATE, ""),),
        fine=(
            ((" / accum\n", "\n"), (D_BACK, D_MEAN)),  # what is shown stays the sum
            ((" / accum\n", "\n"), (D_BACK, D_MEAN), (D_UPDATE, "")),
        ),
        tempts=("unscaled-accumulation-loss", "missing-scaler-update"),
        raises="RuntimeError",
    )
    yield BROKEN.wrong(
        "broken-row-is-not-skipped",
        ((D_UNSCALE + D_CLIP + D_STEP, D_UNSCALE + D_CLIP + "        optimizer.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
