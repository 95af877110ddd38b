"""Forgeries: a penalised expert, an averaged etching that is shown, a pupil of two masters, and two under one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case


def slip(draft: Draft, name: str, rule: str, old: str, new: str) -> Case:
    """A loop with one mistake, which is one edit of the sound one."""
    return draft.wrong(name, ((old, new),), tempts=(rule,))


EXPERT = Draft(
    "forger-and-expert",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def slope_penalty(expert, real, fake):
    mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
    (slope,) = torch.autograd.grad(expert(mix).sum(), mix, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def main(looks=2):
    torch.manual_seed(6)
    forger = nn.Sequential(nn.Linear(2, 8), nn.SiLU(), nn.Linear(8, 3))
    expert = nn.Sequential(nn.Linear(3, 8), nn.SiLU(), nn.Linear(8, 1))
    opt_f = torch.optim.SGD(forger.parameters(), lr=0.1, momentum=0.5)
    opt_e = torch.optim.SGD(expert.parameters(), lr=0.05, momentum=0.5)
    history = []
    for n in range(14):
        real = torch.randn(6, 3).cumsum(1)
        with torch.no_grad():
            fake = forger(torch.randn(6, 2))
        opt_e.zero_grad()
        loss_e = expert(fake).mean() - expert(real).mean() + 3 * slope_penalty(expert, real, fake)
        loss_e.backward()
        nn.utils.clip_grad_norm_(expert.parameters(), 1.5)
        opt_e.step()
        history.append(loss_e.item())
        if (n + 1) % looks == 0:
            opt_f.zero_grad()
            loss_f = -expert(forger(torch.randn(6, 2))).mean()
            loss_f.backward()
            opt_f.step()
    print(f"{sum(history) / len(history):.5f}")
    return forger, expert
""",
    ("missing-zero-grad", "accumulation-off-by-one"),
)

E_CLEAR = "        opt_e.zero_grad()\n"
E_CLIP = "        nn.utils.clip_grad_norm_(expert.parameters(), 1.5)\n"
E_STEP = "        opt_e.step()\n"
E_BACK = "        loss_e.backward()\n"
F_CLEAR = "            opt_f.zero_grad()\n"
F_STEP = "            opt_f.step()\n"


def experts() -> Iterator[Case]:
    yield EXPERT.right("forger-comes-every-second-time")
    yield EXPERT.right("forger-comes-first", ("if (n + 1) % looks == 0:", "if n % looks == 0:"))
    yield EXPERT.right(
        "expert-holds-still-for-the-forger",
        (E_CLEAR, ""),
        (E_STEP, E_STEP + E_CLEAR),
        (F_CLEAR, F_CLEAR + "            expert.requires_grad_(False)\n"),
        (F_STEP, F_STEP + "            expert.requires_grad_(True)\n"),
    )
    yield EXPERT.right(
        "both-are-cleared-at-the-end",
        (E_CLEAR, ""),
        (F_CLEAR, ""),
        ("    print(f", "        for opt in (opt_f, opt_e):\n            opt.zero_grad()\n    print(f"),
    )
    yield EXPERT.right(
        "weights-are-clamped",
        (E_CLIP, ""),
        (E_STEP, E_STEP + "        for p in expert.parameters():\n            p.data.clamp_(-0.4, 0.4)\n"),
        tempts=("clip-after-step",),
    )
    yield EXPERT.wrong(
        "expert-is-cleared-behind-its-step", ((E_CLEAR, ""), (E_STEP, E_STEP + E_CLEAR)), tempts=("missing-zero-grad",)
    )
    yield slip(EXPERT, "forger-is-never-cleared", "missing-zero-grad", F_CLEAR, "")
    yield slip(EXPERT, "clip-before-the-slopes", "clip-before-backward", E_BACK + E_CLIP, E_CLIP + E_BACK)
    yield slip(
        EXPERT,
        "forger-is-wiped",
        "zero-grad-before-step",
        "            loss_f.backward()\n" + F_STEP,
        "            loss_f.backward()\n            forger.zero_grad()\n" + F_STEP,
    )


ETCHING = Draft(
    "etching-shadow",
    """\
import contextlib
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
ACCUM = 3


class Shadow:
    def __init__(self, net, decay=0.7):
        self.mean = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, net):
        for mean, now in zip(self.mean.state_dict().values(), net.state_dict().values()):
            if mean.is_floating_point():
                mean.lerp_(now, 1 - self.decay)


@contextlib.contextmanager
def shown(net, shadow):
    kept, mode = copy.deepcopy(net.state_dict()), net.training
    net.load_state_dict(shadow.mean.state_dict())
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.load_state_dict(kept)
        net.train(mode)


def main():
    torch.manual_seed(19)
    plates = list(zip(torch.randn(7, 4, 5), torch.randn(7, 4, 2)))
    net = nn.Sequential(nn.Linear(5, 7), nn.BatchNorm1d(7), nn.ReLU(), nn.Dropout(0.2), nn.Linear(7, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=9)
    shadow = Shadow(net)
    for epoch in range(3):
        for i, (x, y) in enumerate(plates):
            loss = nn.functional.mse_loss(net(x), y) / ACCUM
            loss.backward()
            if (i + 1) % ACCUM == 0 or i + 1 == len(plates):
                opt.step()
                sched.step()
                opt.zero_grad()
                shadow.follow(net)
        with shown(net, shadow) as print_:
            worst = max(nn.functional.mse_loss(print_(x), y).item() for x, y in plates)
        print(f"{epoch} {worst:.4f} {sched.get_last_lr()[0]:.4f}")
    return net, shadow.mean
""",
    ("missing-train-mode", "scheduler-per-micro-batch"),
)

T_STEP = "                opt.step()\n"
T_SCHED = "                sched.step()\n"
T_CLEAR = "                opt.zero_grad()\n"
T_FOLLOW = "                shadow.follow(net)\n"


def etchings() -> Iterator[Case]:
    yield ETCHING.right("shown-and-put-back")
    yield ETCHING.right("shadow-follows-each-plate", (T_FOLLOW, T_FOLLOW[4:]))
    yield ETCHING.right(
        "rate-falls-with-each-plate",
        ("T_max=9)", "T_max=3 * len(plates))"),
        (T_SCHED, ""),
        (T_FOLLOW, T_FOLLOW + T_SCHED[4:]),
    )
    yield ETCHING.right(
        "asleep-behind-the-first-proof",
        (
            "    finally:\n        net.load_state_dict(kept)\n        net.train(mode)\n",
            "    finally:\n        net.load_state_dict(kept)\n",
        ),
        ("    shadow = Shadow(net)\n", "    net.eval()\n    shadow = Shadow(net)\n"),
    )
    yield ETCHING.right(
        "last-window-is-its-own-mean",
        ("y) / ACCUM\n", "y) / min(ACCUM, len(plates) - i // ACCUM * ACCUM)\n"),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield slip(ETCHING, "mode-is-not-put-back", "missing-train-mode", "        net.train(mode)\n", "")
    yield slip(ETCHING, "rate-moves-first", "scheduler-before-optimizer", T_STEP + T_SCHED, T_SCHED + T_STEP)
    yield slip(
        ETCHING,
        "divided-twice",
        "accumulation-divisor-mismatch",
        "            loss.backward()\n",
        "            (loss / ACCUM).backward()\n",
    )
    yield ETCHING.wrong(
        "rate-for-each-plate-and-named-clear",
        ((T_SCHED, ""), (T_FOLLOW, T_FOLLOW + T_SCHED[4:])),
        ((T_CLEAR, T_CLEAR.replace("()", "")),),
        tempts=("scheduler-per-micro-batch", "method-not-called"),
    )


PUPIL = Draft(
    "apprentice-of-two-painters",
    """\
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
HEAT = 2.0


def windows(pages, size):
    pages = iter(pages)
    while window := list(islice(pages, size)):
        yield window


def painter(width):
    return nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 3))


def main():
    torch.manual_seed(23)
    masters = [painter(6).eval().requires_grad_(False) for _ in range(2)]
    pupil, bridge = painter(5), nn.Linear(5, 6)
    seen = {}
    pupil[0].register_forward_hook(lambda module, args, out: seen.update(hidden=out))
    everything = [*pupil.parameters(), *bridge.parameters()]
    opt = torch.optim.SGD([{"params": pupil.parameters()}, {"params": bridge.parameters(), "lr": 0.1}], lr=0.3)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [1, 2], gamma=0.5)
    for lesson in range(3):
        grades = []
        for window in windows(torch.randn(8, 5, 4), 3):
            opt.zero_grad()
            for x in window:
                with torch.no_grad():
                    soft = sum(F.softmax(master(x) / HEAT, 1) for master in masters) / len(masters)
                    hint = masters[0][0](x)
                loss = HEAT**2 * F.kl_div(F.log_softmax(pupil(x) / HEAT, 1), soft, reduction="batchmean")
                loss = loss + F.mse_loss(bridge(seen["hidden"]), hint)
                (loss / len(window)).backward()
                grades.append(loss.item())
            nn.utils.clip_grad_norm_(everything, 0.4)
            opt.step()
        sched.step()
        print(lesson, f"{sum(grades) / len(grades):.5f}", sched.get_last_lr())
    return pupil, bridge
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)

U_CLIP = "            nn.utils.clip_grad_norm_(everything, 0.4)\n"
U_BACK = ("(loss / len(window)).backward()", "loss.backward()")
U_LIST = "    everything = [*pupil.parameters(), *bridge.parameters()]\n"


def pupils() -> Iterator[Case]:
    yield PUPIL.right("rest-is-a-window-of-its-own")
    yield PUPIL.right("rest-weighs-less", ("(loss / len(window))", "(loss / 3)"))
    yield PUPIL.right(
        "sum-at-smaller-rates", U_BACK, (U_CLIP, ""), ('"lr": 0.1}], lr=0.3)', '"lr": 0.1 / 3}], lr=0.3 / 3)')
    )
    yield PUPIL.right(
        "divided-by-a-hook-on-each-weight",
        U_BACK,
        (U_LIST, U_LIST + "    for p in everything:\n        p.register_hook(lambda g: g / 3)\n"),
    )
    yield slip(PUPIL, "sum-of-the-window", "unscaled-accumulation-loss", *U_BACK)
    yield PUPIL.wrong(
        "divided-by-all-pages",
        (("(loss / len(window))", "(loss / 8)"),),
        fine=((("(loss / len(window))", "(loss / 3)"),),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield slip(
        PUPIL,
        "one-walk-for-all-clips",
        "clip-exhausted-parameters",
        U_LIST,
        "    everything = (p for part in (pupil, bridge) for p in part.parameters())\n",
    )
    yield slip(PUPIL, "clipped-with-each-page", "clip-per-micro-batch", U_CLIP, "    " + U_CLIP)
    yield PUPIL.wrong(
        "rate-moves-at-the-head-of-the-lesson",
        (
            ("        sched.step()\n        print", "        print"),
            ("        grades = []\n", "        sched.step()\n        grades = []\n"),
        ),
        fine=(
            (
                ("        sched.step()\n        print(lesson", "        print(lesson"),
                ("sched.get_last_lr())\n", "sched.get_last_lr())\n        sched.step()\n"),
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )


SCALED = Draft(
    "scaled-forger",
    """\
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce


class Workshop:
    def __init__(self):
        self.forger = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(), nn.Linear(8, 4))
        self.expert = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(), nn.Linear(8, 1))
        self.opt_f = torch.optim.SGD(self.forger.parameters(), lr=0.2)
        self.opt_e = torch.optim.SGD(self.expert.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3)

    def judge(self, real, fake):
        self.opt_e.zero_grad()
        one = self.expert(real)
        zero = self.expert(fake.detach())
        loss_one, loss_zero = bce(one, torch.ones_like(one)), bce(zero, torch.zeros_like(zero))
        self.scaler.scale(loss_one).backward()
        self.scaler.scale(loss_zero).backward()
        self.scaler.step(self.opt_e)
        return (loss_one + loss_zero).item()

    def forge(self, fake):
        self.opt_f.zero_grad()
        seen = self.expert(fake)
        loss = bce(seen, torch.ones_like(seen))
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt_f)
        nn.utils.clip_grad_norm_(self.forger.parameters(), 0.05)
        self.scaler.step(self.opt_f)
        return loss.item()

    def run(self, count):
        for _ in range(count):
            fake = self.forger(torch.randn(8, 3))
            judged = self.judge(torch.randn(8, 4) + 1, fake)
            forged = self.forge(fake)
            self.scaler.update()
        print(f"{judged:.4f} {forged:.4f} {self.scaler.get_scale():.0f}")


def main():
    torch.manual_seed(41)
    shop = Workshop()
    shop.run(10)
    return shop.forger, shop.expert
""",
    ("missing-scaler-update", "unscaled-backward"),
)

S_UPDATE = "            self.scaler.update()\n"
S_UNSCALE = "        self.scaler.unscale_(self.opt_f)\n"
S_JUDGED = "        self.scaler.step(self.opt_e)\n"
S_FORGED = "        self.scaler.step(self.opt_f)\n"
S_CLEAR = "        self.opt_e.zero_grad()\n"
S_ZERO = "        self.scaler.scale(loss_zero).backward()\n"


def scaled() -> Iterator[Case]:
    yield SCALED.right("one-scale-for-both")
    yield SCALED.right("scale-moves-when-the-expert-has-judged", (S_UPDATE, ""), (S_JUDGED, S_JUDGED + S_UPDATE[4:]))
    yield SCALED.right("scale-moves-behind-each", (S_JUDGED, S_JUDGED + S_UPDATE[4:]))
    yield SCALED.right(
        "expert-is-cleared-behind-the-forger",
        (S_CLEAR, ""),
        (S_FORGED, S_FORGED + S_CLEAR),
        tempts=("missing-zero-grad",),
    )
    yield SCALED.right(
        "expert-never-sees-the-scale",
        ("self.scaler.scale(loss_one).backward()", "loss_one.backward()"),
        ("self.scaler.scale(loss_zero).backward()", "loss_zero.backward()"),
        ("self.scaler.step(self.opt_e)", "self.opt_e.step()"),
        tempts=("unscaled-backward", "step-bypasses-scaler"),
    )
    yield slip(SCALED, "fakes-count-for-little", "unscaled-backward", S_ZERO, "        loss_zero.backward()\n")
    yield slip(SCALED, "clip-meets-the-scale", "clip-scaled-gradients", S_UNSCALE, "")
    yield slip(SCALED, "expert-steps-past-the-scale", "step-bypasses-scaler", S_JUDGED, "        self.opt_e.step()\n")
    yield SCALED.wrong("scale-never-moves", ((S_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield SCALED.wrong(
        "unscaled-again", ((S_FORGED, S_UNSCALE + S_FORGED),), tempts=("double-unscale",), raises="RuntimeError"
    )
    yield slip(
        SCALED, "forger-is-wiped", "zero-grad-before-step", S_FORGED, "        self.forger.zero_grad()\n" + S_FORGED
    )


def cases() -> Iterator[Case]:
    yield from experts()
    yield from etchings()
    yield from pupils()
    yield from scaled()
