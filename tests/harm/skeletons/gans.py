"""Generators and discriminators: who clears whose gradients, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

DCGAN = Draft(
    "dcgan-script",
    """\
import torch
import torch.nn as nn
import torch.optim as optim

nz = 3
real_label, fake_label = 1.0, 0.0


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(nz, 6), nn.ReLU(True), nn.Linear(6, 4))

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(4, 6), nn.LeakyReLU(0.2, inplace=True), nn.Linear(6, 1), nn.Sigmoid())

    def forward(self, input):
        return self.main(input).view(-1)


def main():
    netG, netD = Generator(), Discriminator()
    criterion = nn.BCELoss()
    optimizerD = optim.SGD(netD.parameters(), lr=0.1, momentum=0.5)
    optimizerG = optim.SGD(netG.parameters(), lr=0.1, momentum=0.5)
    dataloader = [torch.randn(5, 4) + 1 for _ in range(6)]
    for epoch in range(2):
        for i, data in enumerate(dataloader, 0):
            # (1) update D: maximize log(D(x)) + log(1 - D(G(z)))
            netD.zero_grad()
            label = torch.full((5,), real_label)
            output = netD(data)
            errD_real = criterion(output, label)
            errD_real.backward()
            D_x = output.mean().item()
            noise = torch.randn(5, nz)
            fake = netG(noise)
            label.fill_(fake_label)
            output = netD(fake.detach())
            errD_fake = criterion(output, label)
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()
            # (2) update G: maximize log(D(G(z)))
            netG.zero_grad()
            label.fill_(real_label)
            output = netD(fake)
            errG = criterion(output, label)
            errG.backward()
            optimizerG.step()
            if i % 3 == 0:
                print(f"[{epoch}][{i}] D {errD.item():.4f} G {errG.item():.4f} D(x) {D_x:.4f}")
    return netG, netD
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

D_ZERO = "            netD.zero_grad()\n"
G_ZERO = "            netG.zero_grad()\n"
D_STEP = "            optimizerD.step()\n"
G_STEP = "            optimizerG.step()\n"
REAL_BACK = "            errD_real.backward()\n"
BY_OPTIMIZER = DCGAN.styled(
    (D_ZERO, "            optimizerD.zero_grad()\n"), (G_ZERO, "            optimizerG.zero_grad()\n")
)


def dcgan() -> Iterator[Case]:
    yield DCGAN.right("cleared-by-network")
    yield BY_OPTIMIZER.right("cleared-by-optimizer")
    yield BY_OPTIMIZER.wrong("d-never-cleared", (("            optimizerD.zero_grad()\n", ""),))
    yield BY_OPTIMIZER.wrong("g-never-cleared", (("            optimizerG.zero_grad()\n", ""),))
    yield DCGAN.wrong(
        "d-cleared-after-its-step", ((D_ZERO, ""), (D_STEP, D_STEP + "            optimizerD.zero_grad()\n"))
    )
    yield DCGAN.wrong("both-never-cleared", ((D_ZERO, ""),), ((G_ZERO, ""),))
    yield DCGAN.wrong(
        "d-cleared-between-real-and-fake", ((D_ZERO, ""), (REAL_BACK, REAL_BACK + "            netD.zero_grad()\n"))
    )
    yield DCGAN.right(
        "cleared-after-both-steps",
        (D_ZERO, ""),
        (G_ZERO, ""),
        (G_STEP, G_STEP + "            optimizerG.zero_grad()\n            optimizerD.zero_grad()\n"),
    )
    yield DCGAN.right(
        "d-frozen-while-g-learns",
        (D_ZERO, D_ZERO + "            netD.requires_grad_(True)\n"),
        (G_ZERO, G_ZERO + "            netD.requires_grad_(False)\n"),
    )
    yield DCGAN.right(
        "d-frozen-and-cleared-after-its-step",
        (D_ZERO, "            netD.requires_grad_(True)\n"),
        (D_STEP, D_STEP + "            netD.zero_grad()\n"),
        (G_ZERO, G_ZERO + "            netD.requires_grad_(False)\n"),
    )
    yield DCGAN.right(
        "g-first",
        (D_ZERO, ""),
        (G_ZERO, ""),
        (D_STEP, ""),
        (G_STEP, ""),
        (
            "            label = torch.full((5,), real_label)\n",
            """\
            noise = torch.randn(5, nz)
            fake = netG(noise)
            label = torch.full((5,), real_label)
            errG = criterion(netD(fake), label)
            netG.zero_grad()
            errG.backward()
            optimizerG.step()
            netD.zero_grad()
""",
        ),
        (
            """\
            D_x = output.mean().item()
            noise = torch.randn(5, nz)
            fake = netG(noise)
""",
            "            D_x = output.mean().item()\n",
        ),
        (
            "            errD = errD_real + errD_fake\n",
            "            errD = errD_real + errD_fake\n            optimizerD.step()\n",
        ),
        (
            """\
            # (2) update G: maximize log(D(G(z)))
            label.fill_(real_label)
            output = netD(fake)
            errG = criterion(output, label)
            errG.backward()
""",
            "",
        ),
    )


WGAN = Draft(
    "wgan-critics",
    """\
import torch
from torch import autograd, nn, optim


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    scores = critic(mixed)
    grads = autograd.grad(scores.sum(), mixed, create_graph=True)[0]
    return ((grads.norm(dim=1) - 1) ** 2).mean()


def sample(generator, n):
    return generator(torch.randn(n, 2))


def main():
    generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
    critic = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    opt_g = optim.Adam(generator.parameters(), lr=1e-2, betas=(0.5, 0.9))
    opt_c = optim.Adam(critic.parameters(), lr=1e-2, betas=(0.5, 0.9))
    n_critic, lambda_gp = 2, 10.0
    data = [torch.randn(4, 3) * 0.5 + 2 for _ in range(6)]
    for epoch in range(2):
        for it, real in enumerate(data):
            opt_c.zero_grad()
            fake = sample(generator, real.size(0)).detach()
            loss_c = critic(fake).mean() - critic(real).mean()
            (loss_c + lambda_gp * gradient_penalty(critic, real, fake)).backward()
            opt_c.step()
            if (it + 1) % n_critic == 0:
                opt_g.zero_grad()
                loss_g = -critic(sample(generator, real.size(0))).mean()
                loss_g.backward()
                opt_g.step()
                print(epoch, it, f"{loss_c.item():.4f} {loss_g.item():.4f}")
    return generator, critic
""",
    ("missing-zero-grad", "unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

C_ZERO = "            opt_c.zero_grad()\n"
C_STEP = "            opt_c.step()\n"
GP = "            (loss_c + lambda_gp * gradient_penalty(critic, real, fake)).backward()\n"
G_BLOCK = """\
                opt_g.zero_grad()
                loss_g = -critic(sample(generator, real.size(0))).mean()
                loss_g.backward()
                opt_g.step()
"""


def wgan() -> Iterator[Case]:
    yield WGAN.right("two-critic-steps")
    yield WGAN.right(
        "loss-and-penalty-apart",
        (
            GP,
            """\
            loss_c.backward()
            (lambda_gp * gradient_penalty(critic, real, fake)).backward()
""",
        ),
    )
    yield WGAN.right(
        "weights-clipped",
        (GP, "            loss_c.backward()\n"),
        (C_STEP, C_STEP + "            for p in critic.parameters():\n                p.data.clamp_(-0.1, 0.1)\n"),
        tempts=("clip-after-step",),
    )
    yield WGAN.wrong("critic-never-cleared", ((C_ZERO, ""),))
    yield WGAN.wrong("critic-cleared-after-its-step", ((C_ZERO, ""), (C_STEP, C_STEP + C_ZERO)))
    yield WGAN.wrong("generator-never-cleared", (("                opt_g.zero_grad()\n", ""),))
    yield WGAN.wrong(
        "critic-cleared-with-the-generator",
        (
            (C_ZERO, ""),
            (
                "                opt_g.zero_grad()\n",
                "                opt_c.zero_grad()\n                opt_g.zero_grad()\n",
            ),
        ),
    )
    yield WGAN.right(
        "critic-inner-loop",
        (
            """\
            opt_c.zero_grad()
            fake = sample(generator, real.size(0)).detach()
            loss_c = critic(fake).mean() - critic(real).mean()
            (loss_c + lambda_gp * gradient_penalty(critic, real, fake)).backward()
            opt_c.step()
            if (it + 1) % n_critic == 0:
"""
            + G_BLOCK
            + '                print(epoch, it, f"{loss_c.item():.4f} {loss_g.item():.4f}")\n',
            """\
            for _ in range(n_critic):
                fake = sample(generator, real.size(0)).detach()
                loss_c = critic(fake).mean() - critic(real).mean()
                opt_c.zero_grad()
                (loss_c + lambda_gp * gradient_penalty(critic, real, fake)).backward()
                opt_c.step()
"""
            + G_BLOCK.replace("                ", "            "),
        ),
        ("for it, real in enumerate(data):", "for real in data:"),
    )


CLASS = Draft(
    "gan-trainer-class",
    """\
import copy

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Updater:
    def __init__(self, gen, dis, max_norm=0.3, ema_decay=0.9):
        self.gen, self.dis = gen, dis
        self.ema = copy.deepcopy(gen).requires_grad_(False)
        self.max_norm, self.ema_decay = max_norm, ema_decay
        self.opt_gen = torch.optim.SGD(gen.parameters(), lr=0.1)
        self.opt_dis = torch.optim.SGD(dis.parameters(), lr=0.1)
        self.adversarial = nn.BCEWithLogitsLoss()

    def _target(self, logits, value):
        return torch.full_like(logits, value)

    def step(self, real):
        fake = self.gen(torch.randn(real.shape[0], 2))

        # generator
        self.opt_gen.zero_grad()
        logits = self.dis(fake)
        loss_gen = self.adversarial(logits, self._target(logits, 1.0))
        loss_gen.backward()
        clip_grad_norm_(self.gen.parameters(), self.max_norm)
        self.opt_gen.step()

        # discriminator
        self.opt_dis.zero_grad()
        real_logits, fake_logits = self.dis(real), self.dis(fake.detach())
        loss_dis = self.adversarial(real_logits, self._target(real_logits, 1.0))
        loss_dis = loss_dis + self.adversarial(fake_logits, self._target(fake_logits, 0.0))
        loss_dis.backward()
        self.opt_dis.step()

        self._update_average()
        return loss_gen.item(), loss_dis.item()

    @torch.no_grad()
    def _update_average(self):
        for average, current in zip(self.ema.parameters(), self.gen.parameters()):
            average.lerp_(current, 1 - self.ema_decay)


def main():
    gen = nn.Sequential(nn.Linear(2, 5), nn.ELU(), nn.Linear(5, 3))
    dis = nn.Sequential(nn.Linear(3, 5), nn.ELU(), nn.Linear(5, 1))
    updater = Updater(gen, dis)
    reals = torch.randn(6, 4, 3) + 1
    for epoch in range(2):
        losses = [updater.step(real) for real in reals]
        print(epoch, *(f"{sum(part) / len(part):.4f}" for part in zip(*losses)))
    return updater.gen, updater.dis, updater.ema
""",
    ("clip-after-step", "missing-zero-grad", "clip-before-backward"),
)

SELF_CLIP = "        clip_grad_norm_(self.gen.parameters(), self.max_norm)\n"
GEN_STEP = "        self.opt_gen.step()\n"
DIS_STEP = "        self.opt_dis.step()\n"
DIS_ZERO = "        self.opt_dis.zero_grad()\n"
BACK_DIS = "        loss_dis.backward()\n"


def gan_class() -> Iterator[Case]:
    yield CLASS.right("generator-first")
    yield CLASS.right(
        "generator-stepped-last",
        (GEN_STEP, ""),
        (SELF_CLIP, ""),
        (DIS_STEP, DIS_STEP + SELF_CLIP + GEN_STEP),
    )
    yield CLASS.right("clip-then-discriminator-then-step", (GEN_STEP, ""), (DIS_STEP, DIS_STEP + GEN_STEP))
    yield CLASS.wrong("clip-after-its-step", ((SELF_CLIP + "        self.opt_gen.step()\n", GEN_STEP + SELF_CLIP),))
    yield CLASS.wrong("clip-in-the-other-block", ((SELF_CLIP, ""), (BACK_DIS, BACK_DIS + SELF_CLIP)))
    yield CLASS.left("clip-of-nobody-in-the-other-block", ((SELF_CLIP, ""), (DIS_STEP, DIS_STEP + SELF_CLIP)))
    yield CLASS.wrong(
        "clip-above-the-backward",
        ((SELF_CLIP, ""), ("        loss_gen.backward()\n", SELF_CLIP + "        loss_gen.backward()\n")),
    )
    yield CLASS.wrong("discriminator-never-cleared", ((DIS_ZERO, ""),))
    yield CLASS.wrong("discriminator-cleared-after-its-step", ((DIS_ZERO, ""), (DIS_STEP, DIS_STEP + DIS_ZERO)))
    yield CLASS.right(
        "cleared-in-a-loop",
        (DIS_ZERO, "        for optimizer in (self.opt_gen, self.opt_dis):\n            optimizer.zero_grad()\n"),
        (
            "        self.opt_gen.zero_grad()\n",
            "        for optimizer in (self.opt_dis, self.opt_gen):\n            optimizer.zero_grad()\n",
        ),
    )


CYCLE = Draft(
    "cycle-networks",
    """\
import itertools

import torch
import torch.nn as nn


def set_requires_grad(nets, requires_grad):
    for net in nets:
        for param in net.parameters():
            param.requires_grad = requires_grad


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 6), nn.Tanh(), nn.Linear(6, n_out))


class CycleModel:
    def __init__(self):
        self.netG_A, self.netG_B = mlp(3, 3), mlp(3, 3)
        self.netD_A, self.netD_B = mlp(3, 1), mlp(3, 1)
        self.optimizer_G = torch.optim.SGD(itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), lr=0.05)
        self.optimizer_D = torch.optim.SGD(itertools.chain(self.netD_A.parameters(), self.netD_B.parameters()), lr=0.05)
        self.optimizers = [self.optimizer_G, self.optimizer_D]
        self.schedulers = [torch.optim.lr_scheduler.StepLR(o, 1, gamma=0.5) for o in self.optimizers]
        self.criterion = nn.MSELoss()

    def set_input(self, a, b):
        self.real_A, self.real_B = a, b

    def forward(self):
        self.fake_B = self.netG_A(self.real_A)
        self.rec_A = self.netG_B(self.fake_B)
        self.fake_A = self.netG_B(self.real_B)
        self.rec_B = self.netG_A(self.fake_A)

    def gan_loss(self, prediction, is_real):
        return self.criterion(prediction, torch.full_like(prediction, float(is_real)))

    def backward_D_basic(self, netD, real, fake):
        loss = 0.5 * (self.gan_loss(netD(real), True) + self.gan_loss(netD(fake.detach()), False))
        loss.backward()
        return loss

    def backward_G(self):
        loss = self.gan_loss(self.netD_A(self.fake_B), True) + self.gan_loss(self.netD_B(self.fake_A), True)
        loss = loss + 2.0 * ((self.rec_A - self.real_A).abs().mean() + (self.rec_B - self.real_B).abs().mean())
        loss.backward()
        self.loss_G = loss

    def optimize_parameters(self):
        self.forward()
        set_requires_grad([self.netD_A, self.netD_B], False)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()
        set_requires_grad([self.netD_A, self.netD_B], True)
        self.optimizer_D.zero_grad()
        self.loss_D_A = self.backward_D_basic(self.netD_A, self.real_B, self.fake_B)
        self.loss_D_B = self.backward_D_basic(self.netD_B, self.real_A, self.fake_A)
        self.optimizer_D.step()


def main():
    model = CycleModel()
    data = [(torch.randn(4, 3), torch.randn(4, 3) + 1) for _ in range(6)]
    for epoch in range(2):
        for a, b in data:
            model.set_input(a, b)
            model.optimize_parameters()
        for scheduler in model.schedulers:
            scheduler.step()
        print(epoch, f"{model.loss_G.item():.4f} {model.loss_D_A.item():.4f} {model.loss_D_B.item():.4f}")
    return model.netG_A, model.netG_B, model.netD_A, model.netD_B
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

OPT_D_ZERO = "        self.optimizer_D.zero_grad()\n"
OPT_G_ZERO = "        self.optimizer_G.zero_grad()\n"
FREEZE = "        set_requires_grad([self.netD_A, self.netD_B], False)\n"
THAW = "        set_requires_grad([self.netD_A, self.netD_B], True)\n"
SCHEDULES = "        for scheduler in model.schedulers:\n            scheduler.step()\n"


def cycle() -> Iterator[Case]:
    yield CYCLE.right("frozen-discriminators")
    yield CYCLE.right("not-frozen", (FREEZE, ""), (THAW, ""))
    yield CYCLE.wrong("discriminators-never-cleared", ((OPT_D_ZERO, ""),))
    yield CYCLE.wrong("generators-never-cleared", ((OPT_G_ZERO, ""),))
    yield CYCLE.right(
        "cleared-when-done",
        (OPT_D_ZERO, ""),
        ("        self.optimizer_D.step()\n", "        self.optimizer_D.step()\n" + OPT_D_ZERO),
    )
    yield CYCLE.styled((FREEZE, ""), (THAW, "")).wrong(
        "not-frozen-cleared-when-done",
        ((OPT_D_ZERO, ""), ("        self.optimizer_D.step()\n", "        self.optimizer_D.step()\n" + OPT_D_ZERO)),
    )
    yield CYCLE.wrong(
        "cleared-between-the-backwards",
        ((OPT_D_ZERO, ""), ("        self.loss_D_B =", OPT_D_ZERO + "        self.loss_D_B =")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield CYCLE.left(
        "schedules-per-batch",
        (
            (
                SCHEDULES,
                SCHEDULES.replace("        for", "            for").replace(
                    "            scheduler", "                scheduler"
                ),
            ),
        ),
        tempts=("scheduler-per-micro-batch",),
    )


HALF = Draft(
    "gan-with-a-scaler",
    """\
import torch
from torch import nn

bce = nn.BCEWithLogitsLoss()


def train_discriminator(D, G, opt, scaler, real):
    with torch.autocast("cpu", dtype=torch.float16):
        with torch.no_grad():
            fake = G(torch.randn(real.shape[0], 2))
        logits_real, logits_fake = D(real), D(fake)
        loss = bce(logits_real, torch.ones_like(logits_real)) + bce(logits_fake, torch.zeros_like(logits_fake))
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    return loss.item()


def train_generator(D, G, opt, scaler, batch_size, clip):
    with torch.autocast("cpu", dtype=torch.float16):
        logits = D(G(torch.randn(batch_size, 2)))
        loss = bce(logits, torch.ones_like(logits))
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(G.parameters(), clip)
    scaler.step(opt)
    return loss.item()


def main():
    G = nn.Sequential(nn.Linear(2, 6), nn.LeakyReLU(0.2), nn.Linear(6, 4))
    D = nn.Sequential(nn.Linear(4, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
    opt_G, opt_D = torch.optim.SGD(G.parameters(), lr=0.2), torch.optim.SGD(D.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for epoch in range(2):
        for real in torch.randn(6, 4, 4) + 0.5:
            d_loss = train_discriminator(D, G, opt_D, scaler, real)
            g_loss = train_generator(D, G, opt_G, scaler, len(real), clip=0.05)
            scaler.update()
        print(epoch, f"{d_loss:.3f} {g_loss:.3f}")
    return G, D
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)


def half() -> Iterator[Case]:
    yield HALF.right("one-update-for-both")
    yield HALF.right(
        "updated-in-each",
        (
            "    scaler.step(opt)\n    return loss.item()\n\n\ndef train_generator",
            "    scaler.step(opt)\n    scaler.update()\n    return loss.item()\n\n\ndef train_generator",
        ),
        (
            "    scaler.step(opt)\n    return loss.item()\n\n\ndef main",
            "    scaler.step(opt)\n    scaler.update()\n    return loss.item()\n\n\ndef main",
        ),
        ("            scaler.update()\n        print", "        print"),
    )
    yield HALF.wrong("clip-of-scaled", (("    scaler.unscale_(opt)\n", ""),))
    yield HALF.wrong("never-updated", (("            scaler.update()\n", ""),), raises="RuntimeError")
    yield HALF.wrong(
        "discriminator-past-the-scaler",
        (
            (
                "    scaler.step(opt)\n    return loss.item()\n\n\ndef train_generator",
                "    opt.step()\n    return loss.item()\n\n\ndef train_generator",
            ),
        ),
        tempts=("step-bypasses-scaler",),
    )


def cases() -> Iterator[Case]:
    yield from dcgan()
    yield from wgan()
    yield from gan_class()
    yield from cycle()
    yield from half()
