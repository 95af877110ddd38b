"""Embeddings that are cached for one large contrast, and two streams of batches that feed one update."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CACHE = Draft(
    "contrast-over-cached-embeddings",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def contrast(left, right, temperature):
    scores = F.normalize(left, dim=1) @ F.normalize(right, dim=1).T / temperature
    target = torch.arange(len(scores))
    return (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2


class GradCache:
    '''A contrast over the whole batch although only a chunk fits.'''

    def __init__(self, left, right, chunk):
        self.towers = (left, right)
        self.chunk = chunk

    @torch.no_grad()
    def embed(self, tower, x):
        return torch.cat([tower(part) for part in x.split(self.chunk)])

    def backward(self, pair, temperature):
        cached = [self.embed(tower, x).requires_grad_() for tower, x in zip(self.towers, pair)]
        loss = contrast(*cached, temperature)
        loss.backward()
        for tower, x, reps in zip(self.towers, pair, cached):
            for part, slope in zip(x.split(self.chunk), reps.grad.split(self.chunk)):
                tower(part).backward(gradient=slope)
        return loss.item()


def main():
    torch.manual_seed(77)
    text, image = nn.Linear(5, 4), nn.Sequential(nn.Linear(9, 8), nn.ReLU(), nn.Linear(8, 4))
    params = [*text.parameters(), *image.parameters()]
    opt = torch.optim.SGD(params, lr=0.8, momentum=0.5)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=6)
    cache = GradCache(text, image, chunk=4)
    for step in range(6):
        pair = torch.randn(12, 5), torch.randn(12, 9)
        opt.zero_grad()
        loss = cache.backward(pair, temperature=0.5)
        norm = nn.utils.clip_grad_norm_(params, 0.15)
        opt.step()
        cosine.step()
        print(f"{step} loss {loss:.4f} norm {norm.item():.4f}")
    return text, image
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)

G_REPLAY = "                tower(part).backward(gradient=slope)\n"
G_CLEAR = "        opt.zero_grad()\n"
G_CLIP = "        norm = nn.utils.clip_grad_norm_(params, 0.15)\n"
G_STEP = "        opt.step()\n"
G_COSINE = "        cosine.step()\n"


def cache() -> Iterator[Case]:
    yield CACHE.right("slopes-are-replayed")
    yield CACHE.right(
        "replayed-as-a-product",
        (G_REPLAY, "                (tower(part) * slope).sum().backward()  # slopes carry the mean already\n"),
    )
    yield CACHE.right(
        "embedded-in-a-block",
        ("    @torch.no_grad()\n    def embed", "    def embed"),
        (
            "        return torch.cat([tower(part) for part in x.split(self.chunk)])\n",
            "        with torch.inference_mode():\n            reps = [tower(part) for part in x.split(self.chunk)]\n        return torch.cat(reps).clone()\n",
        ),
        tempts=("validation-without-no-grad", "unscaled-accumulation-loss"),
    )
    yield CACHE.right(
        "two-contrasts-in-one-update",
        (
            "        loss = cache.backward(pair, temperature=0.5)\n",
            "        loss = cache.backward(pair, temperature=0.5)\n        loss += cache.backward(pair, temperature=0.1)  # a coarse and a sharp view, added\n",
        ),
        tempts=("unscaled-accumulation-loss", "loss-graph-leak"),
    )
    yield CACHE.wrong("nothing-is-cleared", ((G_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield CACHE.wrong(
        "towers-cleared-for-each-chunk",
        ((G_CLEAR, ""), (G_REPLAY, "                tower.zero_grad()\n" + G_REPLAY)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield CACHE.wrong(
        "rate-moves-in-front-of-the-step",
        ((G_STEP + G_COSINE, G_COSINE + G_STEP),),
        tempts=("scheduler-before-optimizer",),
    )


STREAMS = Draft(
    "labelled-and-unlabelled",
    """\
import itertools

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

THRESHOLD = 0.4


def mixup(x, y, classes, rng, alpha=0.4):
    share = float(rng.beta(alpha, alpha))
    order = torch.randperm(len(x))
    soft = F.one_hot(y, classes).float()
    return share * x + (1 - share) * x[order], share * soft + (1 - share) * soft[order]


def loaders():
    labelled = TensorDataset(torch.randn(16, 6), torch.randint(0, 3, (16,)))
    unlabelled = TensorDataset(torch.randn(48, 6))
    return DataLoader(labelled, 4, shuffle=True), DataLoader(unlabelled, 8, shuffle=True)


def weak(x):
    return x + 0.02 * torch.randn_like(x)


def strong(x):
    return x * (torch.rand_like(x) > 0.3)


class SemiSupervised:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 3))
        self.optim = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
        self.rng = np.random.default_rng(5)
        self.history = []

    def pseudo(self, x):
        self.net.eval()
        with torch.no_grad():
            sure, guess = self.net(weak(x)).softmax(1).max(1)
        self.net.train()
        return guess, (sure > THRESHOLD).float()

    def step(self, x, y, u):
        guess, mask = self.pseudo(u)
        self.optim.zero_grad()
        mixed, soft = mixup(x, y, 3, self.rng)
        supervised = F.cross_entropy(self.net(mixed), soft)
        supervised.backward()
        consistent = (F.cross_entropy(self.net(strong(u)), guess, reduction="none") * mask).mean()
        consistent.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.optim.step()
        self.history.append((supervised.item(), consistent.item()))


def main():
    torch.manual_seed(15)
    method = SemiSupervised()
    labelled, unlabelled = loaders()
    for epoch in range(2):
        for (x, y), (u,) in zip(itertools.cycle(labelled), unlabelled):
            method.step(x, y, u)
        print(epoch, *(f"{sum(part) / len(part):.4f}" for part in zip(*method.history)))
    return method.net
""",
    ("unscaled-accumulation-loss", "missing-train-mode"),
)

U_FIRST = "        supervised.backward()\n"
U_SECOND = "        consistent.backward()\n"
U_CLIP = "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)\n"
U_STEP = "        self.optim.step()\n"
U_LOG = "        self.history.append((supervised.item(), consistent.item()))\n"
U_GRAD = "        with torch.no_grad():\n            sure, guess = self.net(weak(x)).softmax(1).max(1)\n"


def streams() -> Iterator[Case]:
    yield STREAMS.right("two-losses-two-backwards")
    yield STREAMS.right(
        "sum-of-losses",
        (U_FIRST, ""),
        (U_SECOND, "        loss = supervised\n        loss += consistent\n        loss.backward()\n"),
        (
            "self.history.append((supervised.item(), consistent.item()))",
            "self.history.append((loss.item(), consistent.item()))",
        ),
        tempts=("loss-graph-leak",),
    )
    yield STREAMS.right(
        "each-loss-limited-for-itself",
        (
            U_FIRST,
            U_FIRST
            + "        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)  # so that guesses cannot drown it\n",
        ),
        (U_CLIP, U_CLIP.replace("0.5", "0.8")),
        tempts=("clip-per-micro-batch", "clip-before-backward"),
    )
    yield STREAMS.right(
        "two-updates-on-purpose",
        (U_FIRST, U_FIRST + "        self.optim.step()\n        self.optim.zero_grad()\n"),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield STREAMS.right(
        "guesses-of-a-training-net",
        ("        self.net.eval()\n" + U_GRAD + "        self.net.train()\n", U_GRAD),
        tempts=("missing-train-mode",),
    )
    yield STREAMS.wrong(
        "guesses-leave-eval-behind", (("        self.net.train()\n", ""),), tempts=("missing-train-mode",)
    )
    yield STREAMS.wrong(
        "both-cleared-away",
        (
            ("        self.optim.zero_grad()\n", ""),
            (U_CLIP + U_STEP, U_CLIP + "        self.optim.zero_grad()\n" + U_STEP),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield STREAMS.wrong(
        "history-keeps-the-graphs",
        ((U_LOG, "        self.history.append((supervised, consistent))\n"),),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from cache()
    yield from streams()
