"""Critics that learn several times a turn, and two mappings whose parameters one optimizer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CRITIC = Draft(
    "critic-with-penalty",
    """\
from types import SimpleNamespace

import torch
from torch import autograd, nn, optim

torch.set_default_dtype(torch.float64)

cfg = SimpleNamespace(latent=3, data=4, batch=8, n_critic=3, lam=10.0, iterations=4, limit=5.0)


def endless(dataset, batch):
    while True:
        yield from dataset[torch.randperm(len(dataset))].split(batch)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    (slope,) = autograd.grad(score.sum(), between, create_graph=True)
    return ((slope.norm(2, dim=1) - 1) ** 2).mean()


def build():
    nets = {
        "G": nn.Sequential(nn.Linear(cfg.latent, 10), nn.ReLU(), nn.Linear(10, cfg.data)),
        "D": nn.Sequential(nn.Linear(cfg.data, 10), nn.Tanh(), nn.Linear(10, 1)),
    }
    opts = {name: optim.Adam(net.parameters(), lr=2e-2, betas=(0.0, 0.9)) for name, net in nets.items()}
    return nets, opts


def main():
    torch.manual_seed(31)
    nets, opts = build()
    G, D = nets["G"], nets["D"]
    stream = endless(torch.randn(40, cfg.data) + 1.5, cfg.batch)
    decay = optim.lr_scheduler.ExponentialLR(opts["G"], 0.9)
    for it in range(cfg.iterations):
        for _ in range(cfg.n_critic):
            real = next(stream)
            with torch.no_grad():
                fake = G(torch.randn(len(real), cfg.latent))
            opts["D"].zero_grad()
            wasserstein = D(fake).mean() - D(real).mean()
            wasserstein.backward()
            (cfg.lam * gradient_penalty(D, real, fake)).backward()
            nn.utils.clip_grad_norm_(D.parameters(), cfg.limit)
            opts["D"].step()
        opts["G"].zero_grad()
        loss_g = -D(G(torch.randn(cfg.batch, cfg.latent))).mean()
        loss_g.backward()
        opts["G"].step()
        decay.step()
        print(f"[{it}] critic {wasserstein.item():.4f} generator {loss_g.item():.4f}")
    return G, D
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

K_CLEAR_D = '            opts["D"].zero_grad()\n'
K_CLEAR_G = '        opts["G"].zero_grad()\n'
K_BOTH = """\
            wasserstein.backward()
            (cfg.lam * gradient_penalty(D, real, fake)).backward()
"""
K_CLIP = "            nn.utils.clip_grad_norm_(D.parameters(), cfg.limit)\n"
K_STEP_D = '            opts["D"].step()\n'
K_STEP_G = '        opts["G"].step()\n'
K_DECAY = "        decay.step()\n"
WEIGHTS = CRITIC.styled(
    ("            (cfg.lam * gradient_penalty(D, real, fake)).backward()\n", ""),
    (
        K_CLIP + K_STEP_D,
        K_STEP_D
        + """\
            with torch.no_grad():
                for weight in D.parameters():
                    weight.clamp_(-0.4, 0.4)
""",
    ),
)


def critic() -> Iterator[Case]:
    yield CRITIC.right("two-backwards-for-the-critic", tempts=("unscaled-accumulation-loss", "missing-zero-grad"))
    yield CRITIC.right(
        "critic-cleared-behind-its-step-and-once-more-after-the-generator",
        (K_CLEAR_D, ""),
        (K_STEP_D, K_STEP_D + K_CLEAR_D),
        (K_STEP_G, K_STEP_G + '        opts["D"].zero_grad()  # the generator has left some in the critic\n'),
    )
    yield WEIGHTS.right("weights-clamped-behind-the-step", tempts=("clip-after-step",))
    yield CRITIC.wrong(
        "critic-never-cleared",
        ((K_CLEAR_D, ""),),
        fine=(
            ((K_CLEAR_D, ""), (K_STEP_D, K_STEP_D + K_CLEAR_D)),  # what the generator leaves there remains
        ),
        tempts=("missing-zero-grad",),
    )
    yield CRITIC.right(
        "critic-held-still-for-the-generator",
        (K_CLEAR_D, ""),
        (K_STEP_D, K_STEP_D + K_CLEAR_D),
        (K_CLEAR_G, "        D.requires_grad_(False)\n" + K_CLEAR_G),
        (K_STEP_G, K_STEP_G + "        D.requires_grad_(True)\n"),
        tempts=("missing-zero-grad",),
    )
    yield CRITIC.right(
        "norm-of-the-critic-looked-at-behind-its-step",
        (K_CLIP + K_STEP_D, K_STEP_D + "            seen = nn.utils.clip_grad_norm_(D.parameters(), float('inf'))\n"),
        ('generator {loss_g.item():.4f}")', 'generator {loss_g.item():.4f} norm {seen.item():.4f}")'),
        tempts=("clip-after-step",),
    )
    yield CRITIC.wrong(
        "limit-and-rate-at-the-wrong-places",
        ((K_CLIP + K_STEP_D, K_STEP_D + K_CLIP),),
        ((K_STEP_G + K_DECAY, K_DECAY + K_STEP_G),),
        tempts=("clip-after-step", "scheduler-before-optimizer"),
    )
    yield CRITIC.wrong("generator-never-cleared", ((K_CLEAR_G, ""),), tempts=("missing-zero-grad",))
    yield CRITIC.wrong(
        "penalty-comes-after-the-limit",
        (
            (
                K_BOTH + K_CLIP,
                K_CLIP + K_BOTH,
            ),
        ),
        tempts=("clip-before-backward",),
    )
    yield CRITIC.wrong(
        "rate-falls-in-front-of-the-step",
        ((K_STEP_G + K_DECAY, K_DECAY + K_STEP_G),),
        tempts=("scheduler-before-optimizer",),
    )


CYCLE = Draft(
    "two-mappings-one-optimizer",
    """\
import itertools

import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


class Mapping(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = torch.nn.Linear(6, width)
        self.out = torch.nn.Linear(width, 6)

    def forward(self, x):
        return x + self.out(torch.relu(self.stem(x)))


class CycleModel:
    '''Maps photographs to paintings and back again.'''

    def __init__(self, lr=0.1, max_norm=0.3):
        self.to_painting = Mapping(9)
        self.to_photo = Mapping(7)
        self.max_norm = max_norm
        self.params = list(itertools.chain(self.to_painting.parameters(), self.to_photo.parameters()))
        self.optimizer = torch.optim.SGD(self.params, lr=lr, momentum=0.5)
        self.log = {"cycle": [], "norm": []}

    def losses(self, photo, painting):
        there = self.to_painting(photo)
        back = self.to_photo(painting)
        yield F.l1_loss(self.to_photo(there), photo)
        yield F.l1_loss(self.to_painting(back), painting)
        yield 0.5 * F.mse_loss(there.mean(0), painting.mean(0))

    def optimize_parameters(self, photo, painting):
        self.optimizer.zero_grad()
        *parts, last = self.losses(photo, painting)
        for part in parts:
            part.backward(retain_graph=True)
        last.backward()
        norm = clip_grad_norm_(self.params, self.max_norm)
        self.optimizer.step()
        self.log["cycle"].append(sum(part.item() for part in parts))
        self.log["norm"].append(norm.item())


def main():
    torch.manual_seed(2)
    model = CycleModel()
    photos = torch.randn(20, 6).split(5)
    paintings = (torch.randn(20, 6) * 0.5 + 2).split(5)
    for epoch in range(2):
        for photo, painting in zip(photos, paintings):
            model.optimize_parameters(photo, painting)
        print(epoch, *(f"{key} {sum(values) / len(values):.3f}" for key, values in model.log.items()))
    return model.to_painting, model.to_photo
""",
    ("clip-exhausted-parameters", "unscaled-accumulation-loss"),
)

Y_PARAMS = "        self.params = list(itertools.chain(self.to_painting.parameters(), self.to_photo.parameters()))\n"
Y_CHAIN = Y_PARAMS.replace("list(itertools.chain(", "itertools.chain(").replace("))\n", ")\n")
Y_CLIP = "        norm = clip_grad_norm_(self.params, self.max_norm)\n"
FRESH = CYCLE.styled(
    (Y_PARAMS, ""),
    (
        "    def losses(",
        """\
    def parameters(self):
        yield from self.to_painting.parameters()
        yield from self.to_photo.parameters()

    def losses(""",
    ),
    ("SGD(self.params,", "SGD(self.parameters(),"),
    (Y_CLIP, Y_CLIP.replace("self.params", "self.parameters()")),
)


def cycle() -> Iterator[Case]:
    yield CYCLE.right("parameters-in-a-list")
    yield FRESH.right("generator-made-anew-for-each-use")
    yield CYCLE.wrong("chain-eaten-by-the-optimizer", ((Y_PARAMS, Y_CHAIN),))
    yield FRESH.wrong(
        "generator-kept",
        (
            (
                "        self.optimizer = torch.optim.SGD(self.parameters(),",
                "        self.params = self.parameters()\n        self.optimizer = torch.optim.SGD(self.params,",
            ),
            (Y_CLIP.replace("self.params", "self.parameters()"), Y_CLIP),
        ),
    )
    yield CYCLE.right(
        "optimizer-keeps-what-the-iterator-gave",
        (Y_PARAMS, Y_CHAIN),
        (Y_CLIP, Y_CLIP.replace("self.params", 'self.optimizer.param_groups[0]["params"]')),
    )
    yield CYCLE.right(
        "each-mapping-limited-for-itself",
        (
            Y_CLIP,
            """\
        norms = [clip_grad_norm_(net.parameters(), self.max_norm) for net in (self.to_painting, self.to_photo)]
        norm = torch.stack(norms).norm()
""",
        ),
    )
    yield CYCLE.wrong(
        "limited-when-all-is-done",
        ((Y_CLIP + "        self.optimizer.step()\n", "        self.optimizer.step()\n" + Y_CLIP),),
        tempts=("clip-after-step",),
    )


def cases() -> Iterator[Case]:
    yield from critic()
    yield from cycle()
