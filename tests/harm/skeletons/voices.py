"""Voices from two networks and one loss scale, memories of a stream, banks of features, negatives that are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

VOCODER = Draft(
    "vocoder-with-a-scaler",
    """\
import torch
from torch import nn
from torch.amp import GradScaler, autocast


def limit_gradients(net, limit):
    \"\"\"The norm of all gradients; each entry is cut off at the limit, if there is one.\"\"\"
    grads = [p.grad for p in net.parameters() if p.grad is not None]
    norm = sum(g.norm().item() ** 2 for g in grads) ** 0.5
    if limit is not None:
        for g in grads:
            g.clamp_(-limit, limit)
    return norm


class Vocoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre, self.post = nn.Linear(4, 8), nn.Linear(8, 6)

    def forward(self, mel):
        return self.post(torch.tanh(self.pre(mel)))


def train_and_evaluate(epoch, nets, optims, scaler, loader):
    net_g, net_d = nets
    optim_g, optim_d = optims
    net_g.train()
    net_d.train()
    for step, (mel, wav) in enumerate(loader):
        with autocast("cpu", dtype=torch.float16):
            fake = net_g(mel)
            real_score, fake_score = net_d(wav), net_d(fake.detach())
        loss_disc = (1 - real_score.float()).square().mean() + fake_score.float().square().mean()
        optim_d.zero_grad()
        scaler.scale(loss_disc).backward()
        scaler.unscale_(optim_d)
        norm_d = limit_gradients(net_d, None)
        scaler.step(optim_d)

        with autocast("cpu", dtype=torch.float16):
            fake_score = net_d(fake)
        loss_gen = (1 - fake_score.float()).square().mean() + 2 * (fake.float() - wav).abs().mean()
        optim_g.zero_grad()
        scaler.scale(loss_gen).backward()
        scaler.unscale_(optim_g)
        norm_g = nn.utils.clip_grad_norm_(net_g.parameters(), 0.5)
        scaler.step(optim_g)
        scaler.update()
        if step % 2 == 0:
            print(f"{epoch}/{step} d {loss_disc.item():.3f} g {loss_gen.item():.3f} {norm_d:.2f} {norm_g:.2f}")


def main():
    torch.manual_seed(8)
    nets = Vocoder(), nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.1), nn.Linear(8, 1))
    optims = [torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5) for net in nets]
    schedulers = [torch.optim.lr_scheduler.ExponentialLR(optim, gamma=0.9) for optim in optims]
    scaler = GradScaler("cpu", init_scale=256.0)
    loader = [(torch.randn(5, 4), torch.randn(5, 6)) for _ in range(4)]
    for epoch in range(2):
        train_and_evaluate(epoch, nets, optims, scaler, loader)
        for scheduler in schedulers:
            scheduler.step()
    return nets
""",
    ("clip-scaled-gradients", "missing-scaler-update"),
)

V_UNSCALE_D = "        scaler.unscale_(optim_d)\n"
V_UNSCALE_G = "        scaler.unscale_(optim_g)\n"
V_CLIP_G = "        norm_g = nn.utils.clip_grad_norm_(net_g.parameters(), 0.5)\n"
V_STEP_G = "        scaler.step(optim_g)\n"
V_UPDATE = "        scaler.update()\n"


def vocoder() -> Iterator[Case]:
    yield VOCODER.right("one-update-for-two-steps", tempts=("missing-scaler-update", "double-unscale"))
    yield VOCODER.right(
        "updated-behind-each-step",
        ("        scaler.step(optim_d)\n", "        scaler.step(optim_d)\n" + V_UPDATE),
        tempts=("missing-scaler-update",),
    )
    yield VOCODER.right(
        "norm-of-scaled-gradients-is-only-shown",
        (V_UNSCALE_D, ""),
        (
            "        norm_d = limit_gradients(net_d, None)\n",
            "        norm_d = limit_gradients(net_d, None) / scaler.get_scale()\n",
        ),
    )
    yield VOCODER.right(
        "both-cleared-behind-the-update",
        ("        optim_g.zero_grad()\n", ""),
        ("        optim_d.zero_grad()\n", ""),
        (
            V_UPDATE,
            V_UPDATE
            + "        for net in nets:  # the generator's loss left something in both\n            net.zero_grad()\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield VOCODER.wrong("generator-clipped-while-scaled", ((V_UNSCALE_G, ""),))
    yield VOCODER.wrong(
        "generator-clipped-behind-the-step",
        ((V_CLIP_G, ""), (V_UPDATE, V_CLIP_G + V_UPDATE)),
        tempts=("clip-after-step",),
    )
    yield VOCODER.wrong(
        "generator-stepped-past-the-scaler",
        (
            (V_STEP_G, "        optim_g.step()\n"),
            (V_UNSCALE_G, ""),
            (V_CLIP_G, "        norm_g = limit_gradients(net_g, None) / scaler.get_scale()\n"),
        ),
        fine=(
            (
                (V_UNSCALE_G, ""),
                (V_CLIP_G, "        norm_g = limit_gradients(net_g, None) / scaler.get_scale()\n"),
            ),
        ),
        tempts=("step-bypasses-scaler",),
    )
    yield VOCODER.wrong("never-updated", ((V_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield VOCODER.wrong(
        "unscaled-again-by-the-log",
        ((V_CLIP_G, V_CLIP_G + "        scaler.unscale_(optim_g)  # for the norms below\n"),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )


STREAM = Draft(
    "chunks-of-a-stream",
    """\
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


def signal(length):
    for t in range(length):
        yield torch.tensor([[math.sin(t / 3), math.cos(t / 5)]]), torch.tensor([[math.sin((t + 1) / 3)]])


class Forecaster(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.out(h), h


def run(model, optimizer, length, k):
    h = torch.zeros(1, 6)
    loss = 0.0
    total, seen = 0.0, 0
    for t, (x, target) in enumerate(signal(length), 1):
        guess, h = model(x, h)
        loss = loss + (guess - target).pow(2).mean() / k
        if t % k == 0:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            optimizer.step()
            h = h.detach()
            total += loss.item()
            seen += 1
            loss = 0.0
    print(f"{seen} chunks, mean {float(total) / seen:.5f}")


def main():
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    plan = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for _ in range(2):
        run(model, optimizer, 26, k=4)
        plan.step()
    return model
""",
    ("loss-graph-leak", "unscaled-accumulation-loss"),
)

ST_CLIP = "            nn.utils.clip_grad_norm_(model.parameters(), 0.1)\n"


def stream() -> Iterator[Case]:
    yield STREAM.right("sum-of-a-chunk")
    yield STREAM.right(
        "list-of-a-chunk",
        ("    loss = 0.0\n    total", "    errors = []\n    total"),
        (
            "        loss = loss + (guess - target).pow(2).mean() / k\n",
            "        errors.append((guess - target).pow(2).mean())\n",
        ),
        (
            "            optimizer.zero_grad()\n",
            "            optimizer.zero_grad()\n            loss = sum(errors) / len(errors)\n",
        ),
        ("            seen += 1\n            loss = 0.0\n", "            seen += 1\n            errors.clear()\n"),
        tempts=("loss-graph-leak",),
    )
    yield STREAM.right(
        "each-moment-by-itself",
        ("    loss = 0.0\n    total", "    total"),
        (
            "        loss = loss + (guess - target).pow(2).mean() / k\n",
            "        loss = (guess - target).pow(2).mean() / k\n        loss.backward()\n        h = h.detach()\n",
        ),
        ("            optimizer.zero_grad()\n            loss.backward()\n", ""),
        (
            "            h = h.detach()\n            total += loss.item()\n",
            "            optimizer.zero_grad()\n            total += loss.item()\n",
        ),
        ("            seen += 1\n            loss = 0.0\n", "            seen += 1\n"),
        (
            "        plan.step()\n",
            "        optimizer.zero_grad()  # what is left of the last chunk\n        plan.step()\n",
        ),
        tempts=("zero-grad-in-accumulation", "dropped-accumulation-tail"),
    )
    yield STREAM.wrong(
        "clipped-in-front-of-the-backward",
        ((ST_CLIP, ""), ("            loss.backward()\n", ST_CLIP + "            loss.backward()\n")),
        tempts=("clip-before-backward",),
    )
    yield STREAM.wrong("total-keeps-graphs", (("total += loss.item()", "total += loss"),))


BANK = Draft(
    "bank-of-features",
    """\
from collections import deque

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize
from torch.utils.data import DataLoader, Dataset

torch.set_default_dtype(torch.float64)


class Pictures(Dataset[tuple[Tensor, Tensor]]):
    def __init__(self, n: int = 24) -> None:
        self.x = torch.randn(n, 7, generator=torch.Generator().manual_seed(1))

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.x[index], torch.tensor(index)


class Bank:
    def __init__(self, size: int, dim: int, momentum: float) -> None:
        self.rows = normalize(torch.randn(size, dim), dim=1)
        self.momentum = momentum

    @torch.no_grad()
    def store(self, index: Tensor, features: Tensor) -> None:
        mixed = self.momentum * self.rows[index] + (1 - self.momentum) * features
        self.rows[index] = normalize(mixed, dim=1)

    def loss(self, index: Tensor, features: Tensor) -> Tensor:
        return cross_entropy(features @ self.rows.T / 0.2, index)


def nearest(encoder: nn.Module, bank: Bank, data: Pictures) -> int:
    encoder.eval()
    with torch.inference_mode():
        found = (normalize(encoder(data.x), dim=1) @ bank.rows.T).argmax(dim=1)
    return int((found == torch.arange(len(data))).sum())


def main() -> nn.Module:
    data = Pictures()
    encoder = nn.Sequential(nn.Linear(7, 10), nn.ReLU(), nn.Dropout(0.1), nn.Linear(10, 4))
    bank = Bank(len(data), 4, momentum=0.5)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.5, weight_decay=1e-3)
    recent: deque[float] = deque(maxlen=6)
    accumulate = 2
    for epoch in range(3):
        encoder.train()
        for i, (pictures, index) in enumerate(DataLoader(data, batch_size=4)):
            features = normalize(encoder(pictures), dim=1)
            loss = bank.loss(index, features)
            loss.div(accumulate).backward()
            bank.store(index, features)
            recent.append(loss.item())
            if i % accumulate == accumulate - 1:
                optimizer.step()
                optimizer.zero_grad()
        print(f"{epoch}: {float(sum(recent)) / len(recent):.4f}, {nearest(encoder, bank, data)} found")
    return encoder
""",
    ("missing-train-mode", "loss-graph-leak"),
)


def bank_of_features() -> Iterator[Case]:
    yield BANK.right("as-it-is", tempts=("accumulation-off-by-one", "missing-train-mode"))
    yield BANK.right(
        "recent-ones-detached",
        (
            "            recent.append(loss.item())\n",
            "            recent.append(loss.detach())\n",
        ),
        ("    recent: deque[float]", "    recent: deque[Tensor]"),
        tempts=("loss-graph-leak",),
    )
    yield BANK.right(
        "consistency-with-recent-features",
        (
            "            loss.div(accumulate).backward()\n",
            """\
            terms = [loss]
            for _ in range(2):
                terms.append(0.1 * (normalize(encoder(pictures), dim=1) - features).pow(2).sum(dim=1).mean())
            torch.stack(terms).sum().div(accumulate).backward()
""",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield BANK.wrong(
        "encoder-left-in-eval",
        (("        encoder.train()\n", ""), ("    accumulate = 2\n", "    accumulate = 2\n    encoder.train()\n")),
        tempts=("missing-train-mode",),
    )
    tensors = (
        ("    recent: deque[float] = deque(maxlen=6)", "    recent: deque[Tensor] = deque(maxlen=6)"),
        ("recent.append(loss.item())", "recent.append(loss)"),
    )
    yield BANK.wrong(
        "recent-losses-keep-graphs",
        tensors,
        tempts=("loss-graph-leak",),
    )
    yield BANK.wrong(
        "method-only-named",
        (("                optimizer.zero_grad()\n", "                optimizer.zero_grad\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield BANK.wrong(
        "divided-and-dropped",
        (
            (
                "            loss.div(accumulate).backward()\n",
                "            loss.div(accumulate)\n            loss.backward()\n",
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )


NEGATIVES = Draft(
    "negatives-looked-for",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class TripletTrainer:
    margin = 0.3

    def __init__(self, tower, lr=0.1):
        self.tower = tower
        self.optimizer = torch.optim.SGD(tower.parameters(), lr=lr, momentum=0.9)
        self.losses = []

    def hardest(self, anchors, candidates):
        self.tower.eval()
        with torch.no_grad():
            distance = torch.cdist(self.tower(anchors), self.tower(candidates))
        self.tower.train()
        return candidates[distance.argmin(dim=1)]

    def triplet(self, anchor, positive, negative):
        near = (anchor - positive).norm(dim=1)
        far = (anchor - negative).norm(dim=1)
        return (near - far + self.margin).clamp(min=0).mean()

    def step(self, anchors, positives, candidates):
        negatives = self.hardest(anchors, candidates)
        self.optimizer.zero_grad()
        loss = self.triplet(self.tower(anchors), self.tower(positives), self.tower(negatives))
        loss.backward()
        nn.utils.clip_grad_norm_(self.tower.parameters(), max_norm=0.2)
        self.optimizer.step()
        self.losses.append(loss.item())


def main():
    tower = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 3))
    trainer = TripletTrainer(tower)
    pool = torch.randn(12, 5)
    for epoch in range(2):
        for anchors in torch.randn(5, 4, 5):
            trainer.step(anchors, anchors + 0.05, pool)
    print(f"{float(sum(trainer.losses)) / len(trainer.losses):.4f}")
    return trainer.tower
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

N_TRAIN = "        self.tower.train()\n"
N_CLIP = "        nn.utils.clip_grad_norm_(self.tower.parameters(), max_norm=0.2)\n"


def negatives() -> Iterator[Case]:
    yield NEGATIVES.right("mined-in-eval")
    yield NEGATIVES.right(
        "mined-in-train",
        ("        self.tower.eval()\n", ""),
        (N_TRAIN, ""),
    )
    yield NEGATIVES.right(
        "tuned-with-frozen-statistics",
        (N_TRAIN, ""),
        ("        self.tower.eval()\n", ""),
        (
            "        self.losses = []\n",
            "        self.losses = []\n        self.tower.eval()  # the statistics are those of the pretraining\n",
        ),
    )
    yield NEGATIVES.wrong("mining-leaves-eval", ((N_TRAIN, ""),))
    yield NEGATIVES.wrong(
        "mined-with-gradients",
        (
            (
                "        with torch.no_grad():\n            distance =",
                "        distance =",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield NEGATIVES.wrong(
        "all-losses-keep-graphs",
        (("self.losses.append(loss.item())", "self.losses.append(loss)"),),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from vocoder()
    yield from stream()
    yield from bank_of_features()
    yield from negatives()
