"""Generative models: a diffusion trainer with an average of its weights, a GAN of phases, a VAE in an exported notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

DIFFUSION = Draft(
    "diffusion-trainer",
    """\
from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def cycle(dl):
    while True:
        for data in dl:
            yield data


class Denoiser(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 12), nn.SiLU(), nn.Linear(12, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None]], dim=1))


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=10):
        super().__init__()
        self.model = model
        self.register_buffer("alphas", torch.linspace(0.99, 0.3, timesteps).cumprod(0))

    def forward(self, x):
        t = torch.arange(x.shape[0]) % len(self.alphas)
        noise = torch.sin(17 * x)
        a = self.alphas[t][:, None]
        noisy = a.sqrt() * x + (1 - a).sqrt() * noise
        return F.mse_loss(self.model(noisy, t / len(self.alphas)), noise)

    @torch.no_grad()
    def sample(self, x):
        t = torch.zeros(x.shape[0])
        return x - self.model(x, t)


class EMA:
    def __init__(self, model, beta=0.9, update_every=2):
        self.beta, self.update_every = beta, update_every
        self.ma_model = deepcopy(model)

    @torch.no_grad()
    def update(self, model):
        for ma, p in zip(self.ma_model.parameters(), model.parameters()):
            ma.lerp_(p, 1 - self.beta)


class Trainer:
    def __init__(self, diffusion, dataset, *, train_lr=3e-2, train_num_steps=6, gradient_accumulate_every=4):
        self.model = diffusion
        self.train_num_steps = train_num_steps
        self.gradient_accumulate_every = gradient_accumulate_every
        self.dl = cycle(dataset)
        self.opt = torch.optim.SGD(diffusion.parameters(), lr=train_lr, momentum=0.9)
        self.ema = EMA(diffusion)
        self.ema.ma_model.eval()
        self.step = 0

    def train(self):
        while self.step < self.train_num_steps:
            self.model.train()
            total_loss = 0.0
            for _ in range(self.gradient_accumulate_every):
                data = next(self.dl)
                loss = self.model(data)
                loss = loss / self.gradient_accumulate_every
                total_loss += loss.item()
                loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)
            self.opt.step()
            self.opt.zero_grad()
            self.step += 1
            if self.step % self.ema.update_every == 0:
                self.ema.update(self.model)
            print(f"{self.step}: loss {total_loss:.4f}")


def main():
    dataset = [torch.randn(4, 6) for _ in range(5)]
    trainer = Trainer(GaussianDiffusion(Denoiser()), dataset)
    trainer.train()
    return trainer.model, trainer.ema.ma_model
""",
    ("unscaled-accumulation-loss",),
)

DIVIDED = "                loss = loss / self.gradient_accumulate_every\n"
CLIPPED = "            nn.utils.clip_grad_norm_(self.model.parameters(), 0.1)\n"


def diffusion_trainer() -> Iterator[Case]:
    loops = DIFFUSION
    yield loops.right("as-it-is", tempts=("unscaled-accumulation-loss", "missing-train-mode"))
    yield loops.wrong(
        "not-divided",
        ((DIVIDED, ""), ("total_loss += loss.item()", "total_loss += loss.item() / self.gradient_accumulate_every")),
        fine=(
            (
                (DIVIDED, ""),
                (
                    "+= loss.item()\n                loss.backward()",
                    (
                        "+= loss.item() / self.gradient_accumulate_every\n"
                        "                (loss / self.gradient_accumulate_every).backward()"
                    ),
                ),
            ),
        ),
    )
    yield loops.wrong(
        "clip-after",
        ((CLIPPED, ""), ("            self.opt.step()\n", "            self.opt.step()\n" + CLIPPED)),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "clip-each",
        ((CLIPPED, ""), ("loss.backward()\n", "loss.backward()\n    " + CLIPPED)),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "cleared-each",
        (
            ("            self.opt.zero_grad()\n", ""),
            ("data = next(self.dl)\n", "data = next(self.dl)\n                self.opt.zero_grad()\n"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "total-with-graph",
        (("total_loss += loss.item()", "total_loss += loss"), ("{total_loss:.4f}", "{total_loss.item():.4f}")),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "one-backward-of-the-total",
        ("total_loss += loss.item()\n                loss.backward()\n", "total_loss = total_loss + loss\n"),
        (CLIPPED, "            total_loss.backward()\n" + CLIPPED),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield loops.right(
        "samples-in-the-loop",
        (
            "                self.ema.update(self.model)\n",
            (
                "                self.ema.update(self.model)\n"
                "                print(self.ema.ma_model.sample(torch.ones(2, 6)).mean().item())\n"
            ),
        ),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )


PHASES = Draft(
    "gan-of-phases",
    """\
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Phase:
    name: str
    module: nn.Module
    opt: torch.optim.Optimizer
    interval: int


class Loss:
    def __init__(self, G, D, r1_gamma=2.0):
        self.G, self.D, self.r1_gamma = G, D, r1_gamma

    def accumulate_gradients(self, phase, real, z, gain):
        if phase == "Gmain":
            loss = F.softplus(-self.D(self.G(z))).mean()
            loss.mul(gain).backward()
        if phase == "Dmain":
            loss_fake = F.softplus(self.D(self.G(z).detach())).mean()
            loss_fake.mul(gain).backward()
            loss_real = F.softplus(-self.D(real)).mean()
            loss_real.mul(gain).backward()
        if phase == "Dreg":
            real = real.detach().requires_grad_(True)
            (grads,) = torch.autograd.grad(self.D(real).sum(), real, create_graph=True)
            r1 = grads.square().sum(1).mean()
            (r1 * self.r1_gamma / 2).mul(gain).backward()


def training_loop(G, D, phases, loss, reals, total=6, rounds=2):
    gen = torch.Generator().manual_seed(3)
    for batch_idx in range(total):
        real = reals[batch_idx % len(reals)]
        z = torch.randn(len(real), 4, generator=gen)
        for phase in phases:
            if batch_idx % phase.interval != 0:
                continue
            phase.opt.zero_grad(set_to_none=True)
            phase.module.requires_grad_(True)
            for round_real, round_z in zip(real.chunk(rounds), z.chunk(rounds)):
                loss.accumulate_gradients(phase.name, round_real, round_z, phase.interval / rounds)
            phase.module.requires_grad_(False)
            for param in phase.module.parameters():
                if param.grad is not None:
                    torch.nan_to_num(param.grad, nan=0, posinf=1e5, neginf=-1e5, out=param.grad)
            norm = nn.utils.clip_grad_norm_(phase.module.parameters(), 0.2)
            phase.opt.step()
            print(batch_idx, phase.name, f"{norm:.4f}")


def main():
    G = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 6)).requires_grad_(False)
    D = nn.Sequential(nn.Linear(6, 8), nn.Softplus(), nn.Linear(8, 1)).requires_grad_(False)
    opt_g = torch.optim.Adam(G.parameters(), lr=0.02, betas=(0.0, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=0.02, betas=(0.0, 0.9))
    phases = [Phase("Gmain", G, opt_g, 1), Phase("Dmain", D, opt_d, 1), Phase("Dreg", D, opt_d, 3)]
    reals = [torch.randn(4, 6) for _ in range(3)]
    training_loop(G, D, phases, Loss(G, D), reals)
    return G, D
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

CLEAR = "            phase.opt.zero_grad(set_to_none=True)\n"
PHASE_CLIP = "            norm = nn.utils.clip_grad_norm_(phase.module.parameters(), 0.2)\n"


def gan_of_phases() -> Iterator[Case]:
    loops = PHASES
    yield loops.right("as-it-is")
    yield loops.right(
        "never-frozen",
        ("            phase.module.requires_grad_(True)\n", ""),
        ("            phase.module.requires_grad_(False)\n", ""),
        ("nn.Linear(8, 6)).requires_grad_(False)", "nn.Linear(8, 6))"),
        ("nn.Linear(8, 1)).requires_grad_(False)", "nn.Linear(8, 1))"),
        tempts=("missing-zero-grad",),
    )
    yield loops.wrong("never-cleared", ((CLEAR, ""),))
    yield loops.wrong(
        "cleared-each-round",
        (
            (CLEAR, ""),
            ("                loss.accumulate_gradients", "    " + CLEAR + "                loss.accumulate_gradients"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "cleared-too-late", ((CLEAR, ""), (PHASE_CLIP, PHASE_CLIP + CLEAR)), tempts=("zero-grad-before-step",)
    )
    yield loops.wrong(
        "clip-after",
        ((PHASE_CLIP, ""), ("            phase.opt.step()\n", "            phase.opt.step()\n" + PHASE_CLIP)),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "cleared-in-name-only",
        (("phase.opt.zero_grad(set_to_none=True)", "phase.opt.zero_grad"),),
        tempts=("method-not-called",),
    )
    yield loops.right(
        "penalty-on-top-of-the-main-loss",
        ('        if phase == "Dreg":', '        if phase == "Dmain" and self.lazy():'),
        (
            "    def accumulate_gradients",
            (
                "    def lazy(self):\n        self.calls = getattr(self, 'calls', 0) + 1\n        return self.calls % 4 < 2\n\n"
                "    def accumulate_gradients"
            ),
        ),
        (', Phase("Dreg", D, opt_d, 3)]', "]"),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )


VAE = Draft(
    "vae-notebook",
    """\
#!/usr/bin/env python
# coding: utf-8

# # VAE with a warmed-up KL term

# In[1]:


from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(42)


# In[2]:


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.mu = nn.Linear(8, 2)
        self.logvar = nn.Linear(8, 2)
        self.dec = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 6))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.exp(0.5 * logvar) * torch.cos(9 * mu.detach()) if self.training else mu
        return self.dec(z), mu, logvar


def loss_fn(recon, x, mu, logvar, beta):
    rec = F.mse_loss(recon, x)
    kld = -0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
    return rec + beta * kld, kld


# In[3]:


x_train = torch.randn(24, 6)
x_val = torch.randn(8, 6)
model = VAE()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
history = defaultdict(list)


# In[4]:


for epoch in range(4):
    model.train()
    beta = min(1.0, epoch / 2)
    for x in x_train.split(6):
        recon, mu, logvar = model(x)
        loss, kld = loss_fn(recon, x, mu, logvar, beta)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history["loss"].append(loss.item())
        history["kld"].append(kld.detach())
    model.eval()
    with torch.no_grad():
        recon, mu, logvar = model(x_val)
        val, _ = loss_fn(recon, x_val, mu, logvar, 1.0)
    scheduler.step(val)
    print(f"epoch {epoch} val {val:.4f} kld {torch.stack(history['kld'][-4:]).mean():.4f}")


# In[5]:


print(sum(history["loss"]) / len(history["loss"]))


def main():
    return model
""",
    ("missing-train-mode", "loss-graph-leak"),
)

VALIDATION = """\
    with torch.no_grad():
        recon, mu, logvar = model(x_val)
        val, _ = loss_fn(recon, x_val, mu, logvar, 1.0)
"""


def vae_notebook() -> Iterator[Case]:
    loops = VAE
    yield loops.wrong(
        "train-once",
        (("for epoch in range(4):\n    model.train()\n", "model.train()\nfor epoch in range(4):\n"),),
        tempts=("missing-train-mode",),
    )
    yield loops.wrong(
        "tensors-that-are-stacked", (("append(kld.detach())", "append(kld)"),), tempts=("loss-graph-leak",)
    )
    yield loops.wrong(
        "losses-kept",
        (("append(loss.item())", "append(loss)"),),
        fine=((("append(loss.item())", "append(loss.detach())"),),),
    )
    yield loops.wrong(
        "validated-with-a-graph",
        ((VALIDATION, VALIDATION.replace("    with torch.no_grad():\n", "").replace("        ", "    ")),),
        tempts=("validation-without-no-grad",),
    )
    yield loops.right(
        "latents-tuned-in-eval",
        (
            VALIDATION,
            VALIDATION
            + """\
    z = nn.Parameter(torch.zeros(8, 2))
    tuner = torch.optim.SGD([z], lr=0.5)
    for _ in range(3):
        tuner.zero_grad()
        fit = F.mse_loss(model.dec(z), x_val)
        fit.backward()
        tuner.step()
    print(f"best fit {fit.item():.4f}")
""",
        ),
        tempts=("missing-train-mode", "validation-without-no-grad", "missing-zero-grad"),
    )
    yield loops.right(
        "losses-of-an-epoch-in-one-backward",
        ("        optimizer.zero_grad()\n        loss.backward()\n        optimizer.step()\n", ""),
        ('        history["loss"].append(loss.item())\n', '        history["loss"].append(loss)\n'),
        (
            "    model.eval()\n",
            (
                '    optimizer.zero_grad()\n    torch.stack(history["loss"]).mean().backward()\n    optimizer.step()\n'
                '    history["mean"] += [l.item() for l in history.pop("loss")]\n    model.eval()\n'
            ),
        ),
        ('print(sum(history["loss"]) / len(history["loss"]))', 'print(sum(history["mean"]))'),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from diffusion_trainer()
    yield from gan_of_phases()
    yield from vae_notebook()
