"""One GradScaler for several optimizers, and several scalers in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PAIR = Draft(
    "scaler-for-two-optimizers",
    """\
import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 4))

    def forward(self, x):
        return self.net(x)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 8))

    def forward(self, z):
        return self.net(z)


def train(encoder, decoder, batches, epochs):
    enc_opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
    dec_opt = torch.optim.SGD(decoder.parameters(), lr=0.1)
    scaler = GradScaler("cpu", init_scale=512.0, growth_interval=5)
    for epoch in range(epochs):
        for x in batches:
            enc_opt.zero_grad()
            dec_opt.zero_grad()
            with autocast("cpu", dtype=torch.float16):
                x_hat = decoder(encoder(x))
                loss = nn.functional.mse_loss(x_hat, x)
            scaler.scale(loss).backward()
            scaler.unscale_(enc_opt)
            nn.utils.clip_grad_norm_(encoder.parameters(), 0.1)
            scaler.step(enc_opt)
            scaler.step(dec_opt)
            scaler.update()
        print(f"{epoch:02d} {loss.item():.4f} scale {scaler.get_scale():.0f}")


def main():
    encoder, decoder = Encoder(), Decoder()
    train(encoder, decoder, [torch.randn(4, 8) for _ in range(8)], epochs=2)
    return encoder, decoder
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

ENC_UNSCALE = "            scaler.unscale_(enc_opt)\n"
ENC_CLIP = "            nn.utils.clip_grad_norm_(encoder.parameters(), 0.1)\n"
STEPS = "            scaler.step(enc_opt)\n            scaler.step(dec_opt)\n            scaler.update()\n"
BOTH_CLIPPED = PAIR.styled(
    (ENC_UNSCALE, ENC_UNSCALE + "            scaler.unscale_(dec_opt)\n"),
    (ENC_CLIP, "            nn.utils.clip_grad_norm_([*encoder.parameters(), *decoder.parameters()], 0.1)\n"),
)
UNCLIPPED = PAIR.styled((ENC_UNSCALE + ENC_CLIP, ""))
LOOPED = BOTH_CLIPPED.styled(
    (
        ENC_UNSCALE + "            scaler.unscale_(dec_opt)\n",
        "            for optimizer in (enc_opt, dec_opt):\n                scaler.unscale_(optimizer)\n",
    )
)


def pair() -> Iterator[Case]:
    yield PAIR.right("one-unscaled-one-not")
    yield BOTH_CLIPPED.right("clipped-together")
    yield LOOPED.right("unscaled-in-a-loop", tempts=("double-unscale",))
    yield PAIR.wrong("clip-of-scaled", ((ENC_UNSCALE, ""),))
    yield BOTH_CLIPPED.wrong("second-not-unscaled", (("            scaler.unscale_(dec_opt)\n", ""),))
    yield BOTH_CLIPPED.wrong("none-unscaled", (("            scaler.unscale_(dec_opt)\n", ""), (ENC_UNSCALE, "")))
    yield PAIR.wrong("no-update", ((STEPS, STEPS.replace("            scaler.update()\n", "")),), raises="RuntimeError")
    yield UNCLIPPED.right("plain", tempts=("missing-scaler-update",))
    yield UNCLIPPED.left(
        "updated-after-each",
        ((STEPS, STEPS.replace("(enc_opt)\n", "(enc_opt)\n            scaler.update()\n")),),
        tempts=("missing-scaler-update", "double-unscale"),
    )
    yield UNCLIPPED.wrong(
        "second-past-the-scaler",
        ((STEPS, "            dec_opt.step()\n            scaler.step(enc_opt)\n            scaler.update()\n"),),
        fine=(
            (
                (
                    STEPS,
                    "            scaler.step(dec_opt)\n            scaler.step(enc_opt)\n            scaler.update()\n",
                ),
            ),
        ),
        tempts=("step-bypasses-scaler",),
    )
    yield UNCLIPPED.wrong(
        "zeroed-between-the-steps",
        (
            ("            dec_opt.zero_grad()\n", ""),
            (
                STEPS,
                STEPS.replace(
                    "            scaler.step(dec_opt)\n",
                    "            dec_opt.zero_grad()\n            scaler.step(dec_opt)\n",
                ),
            ),
        ),
        tempts=("zero-grad-before-step",),
        raises="AssertionError",
    )


MANY = Draft(
    "lists-of-scalers",
    """\
import torch
import torch.nn.functional as F


def build(seed):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Linear(6, 1))


class Ensemble:
    \"\"\"Members that share batches, each with its optimizer and its loss scale.\"\"\"

    def __init__(self, size):
        self.members = [build(seed) for seed in range(size)]
        self.optimizers = [torch.optim.RMSprop(m.parameters(), lr=1e-2) for m in self.members]
        self.scalers = [torch.amp.GradScaler("cpu", init_scale=2.0 ** (8 + i)) for i in range(size)]

    def learn(self, x, y, limit=0.5):
        losses = []
        for member, optimizer, scaler in zip(self.members, self.optimizers, self.scalers):
            loss = F.mse_loss(member(x), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(member.parameters(), limit)
            scaler.step(optimizer)
            losses.append(loss.detach())
        for scaler in self.scalers:
            scaler.update()
        return torch.stack(losses)


def main():
    ensemble = Ensemble(3)
    torch.manual_seed(5)
    batches = [(torch.randn(6, 4), torch.randn(6, 1)) for _ in range(6)]
    for epoch in range(2):
        history = torch.stack([ensemble.learn(x, y) for x, y in batches])
        print(epoch, [f"{value:.4f}" for value in history.mean(dim=0).tolist()])
    return tuple(ensemble.members)
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)

UPDATES = "        for scaler in self.scalers:\n            scaler.update()\n"


def many() -> Iterator[Case]:
    yield MANY.right("updated-in-a-second-loop")
    yield MANY.right(
        "updated-in-the-same-loop",
        (UPDATES, ""),
        ("            scaler.step(optimizer)\n", "            scaler.step(optimizer)\n            scaler.update()\n"),
    )
    yield MANY.wrong("only-the-last-updated", ((UPDATES, "        scaler.update()\n"),), raises="RuntimeError")
    yield MANY.wrong("never-updated", ((UPDATES, ""),), raises="RuntimeError")
    yield MANY.wrong("clip-of-scaled", (("            scaler.unscale_(optimizer)\n", ""),))
    yield MANY.right(
        "optimizers-off-and-on",
        ("            scaler.step(optimizer)\n", ""),
        (
            UPDATES,
            """\
        for optimizer, scaler in zip(self.optimizers, self.scalers):
            scaler.step(optimizer)
            scaler.update()
""",
        ),
    )


SHARED = Draft(
    "optimizer-parts-of-one-network",
    """\
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.backbone(x))


def main():
    model = Model()
    optimizers = {
        "backbone": torch.optim.SGD(model.backbone.parameters(), lr=0.02, weight_decay=0.01),
        "head": torch.optim.SGD(model.head.parameters(), lr=0.2),
    }
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    accumulate = 3
    loader = [(torch.randn(4, 6), torch.randint(0, 3, (4,))) for _ in range(9)]
    for epoch in range(2):
        for index, (x, target) in enumerate(loader):
            loss = criterion(model(x), target) / accumulate
            scaler.scale(loss).backward()
            if index % accumulate != accumulate - 1:
                continue
            for name, optimizer in optimizers.items():
                scaler.unscale_(optimizer)
                norm = nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], 0.3)
                print(epoch, index, name, f"{norm.item():.4f}")
            for optimizer in optimizers.values():
                scaler.step(optimizer)
                optimizer.zero_grad()
            scaler.update()
    return model
""",
    ("clip-scaled-gradients", "double-unscale", "missing-scaler-update"),
)


def shared() -> Iterator[Case]:
    yield SHARED.right("dictionary")
    yield SHARED.wrong("clip-of-scaled", (("                scaler.unscale_(optimizer)\n", ""),))
    yield SHARED.wrong("undivided", (("target) / accumulate\n", "target)\n"),), tempts=("unscaled-accumulation-loss",))
    yield SHARED.right(
        "frozen-backbone",
        (
            "            for name, optimizer in optimizers.items():\n",
            """\
            active = {k: o for k, o in optimizers.items() if epoch > 0 or k == "head"}
            for name, optimizer in active.items():
""",
        ),
        (
            """\
            for optimizer in optimizers.values():
                scaler.step(optimizer)
                optimizer.zero_grad()
""",
            """\
            for optimizer in active.values():
                scaler.step(optimizer)
            model.zero_grad()
""",
        ),
    )
    yield SHARED.wrong(
        "only-stepped-are-zeroed",
        (
            (
                """\
            for optimizer in optimizers.values():
                scaler.step(optimizer)
                optimizer.zero_grad()
""",
                """\
            for optimizer in optimizers.values():
                scaler.step(optimizer)
            optimizers["head"].zero_grad()
""",
            ),
        ),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from pair()
    yield from many()
    yield from shared()
