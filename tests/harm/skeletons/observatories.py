"""Observatories: windows that grow, two passes, frozen trunks, pilots, rates, sizes used again, resumed surveys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

COMETS = Draft(
    "comet-windows",
    """\
import itertools

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(41)
    lens = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    opt = torch.optim.SGD(lens.parameters(), lr=0.3, momentum=0.4)
    plates = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(11)]
    for sweep in range(3):
        rest = iter(plates)
        opt.zero_grad()
        while window := list(itertools.islice(rest, sweep + 2)):
            for plate, tail in window:
                loss = nn.functional.huber_loss(lens(plate), tail)
                (loss / len(window)).backward()
            nn.utils.clip_grad_norm_(lens.parameters(), 0.3)
            opt.step()
            opt.zero_grad()
    return lens
""",
    ("accumulation-divisor-mismatch", "unscaled-accumulation-loss"),
)

COMET_BACK = "                (loss / len(window)).backward()\n"
COMET_CLIP = "            nn.utils.clip_grad_norm_(lens.parameters(), 0.3)\n"
COMET_STEP = "            opt.step()\n            opt.zero_grad()\n"
COMET_SWEEP = """\
        rest = iter(plates)
        opt.zero_grad()
        while window := list(itertools.islice(rest, sweep + 2)):
            for plate, tail in window:
                loss = nn.functional.huber_loss(lens(plate), tail)
                (loss / len(window)).backward()
            nn.utils.clip_grad_norm_(lens.parameters(), 0.3)
            opt.step()
            opt.zero_grad()
"""
COMET_COUNTED = """\
        opt.zero_grad()
        size = sweep + 2
        number = 0
        try:
            for plate, tail in plates:
                loss = nn.functional.huber_loss(lens(plate), tail)
                (loss / size).backward()
                number += 1
                if number % size == 0:
                    opt.step()
                    opt.zero_grad()
        finally:
            print("seen", number)
        if number % size != 0:
            opt.step()
            opt.zero_grad()
"""
COMET_TAIL = """\
        if number % size != 0:
            opt.step()
            opt.zero_grad()
"""
COMET_UNCLEARED = ("        opt.zero_grad()\n        size", "        size")
COMET_LEFT = (COMET_TAIL, "")
COMET_SHARE = (
    "(loss / size).backward()",
    "(loss / min(size, len(plates) - number // size * size)).backward()",
)


def comets() -> Iterator[Case]:
    counted = COMETS.styled((COMET_SWEEP, COMET_COUNTED), ("import itertools\n\n", ""))
    yield COMETS.right("as-it-should-be")
    yield COMETS.styled((COMET_CLIP, "")).wrong(
        "divided-by-the-sweep",
        (("(loss / len(window))", "(loss / (sweep + 1))"),),
        fine=((("(loss / len(window))", "(loss / (sweep + 2))"),),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield COMETS.wrong(
        "clip-at-each-plate",
        ((COMET_CLIP, ""), (COMET_BACK, COMET_BACK + "    " + COMET_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield COMETS.right(
        "loss-divided-in-place",
        (COMET_BACK, "                loss /= len(window)\n                loss.backward()\n"),
    )
    yield COMETS.right(
        "gradients-divided-when-the-window-closes",
        (COMET_BACK, "                loss.backward()\n"),
        (
            COMET_CLIP,
            "            for p in lens.parameters():\n                p.grad /= len(window)\n" + COMET_CLIP,
        ),
    )
    yield COMETS.right(
        "clouded-window-given-up",
        (
            COMET_BACK,
            (
                "                if loss > 0.9:\n                    opt.zero_grad()\n                    break\n"
                + COMET_BACK
                + "            else:\n"
            ),
        ),
        (COMET_CLIP, "    " + COMET_CLIP),
        (COMET_STEP, "                opt.step()\n                opt.zero_grad()\n"),
        tempts=("zero-grad-in-accumulation", "dropped-accumulation-tail"),
    )
    yield counted.right(
        "tail-stepped-in-the-end",
        (COMET_TAIL, ""),
        (
            '            print("seen", number)\n',
            "            if number % size:\n                opt.step()\n                opt.zero_grad()\n",
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield counted.wrong(
        "tail-leaks-into-the-next-sweep",
        (COMET_LEFT, COMET_UNCLEARED),
        fine=((COMET_LEFT,), (COMET_SHARE,), (COMET_SHARE, COMET_LEFT)),
        tempts=("dropped-accumulation-tail",),
    )


NEBULA = Draft(
    "nebula-twice",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(43)
    cloud = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    opt = torch.optim.SGD(cloud.parameters(), lr=0.3, momentum=0.5)
    for frame in range(5):
        light = torch.rand(6, 2)

        def glow():
            opt.zero_grad()
            loss = nn.functional.mse_loss(cloud(light), light.prod(1, keepdim=True))
            loss.backward()
            return loss

        glow()
        with torch.no_grad():
            size = torch.stack([p.grad.norm() for p in cloud.parameters()]).norm()
            shifts = [0.1 * p.grad / size for p in cloud.parameters()]
            for p, shift in zip(cloud.parameters(), shifts):
                p += shift
        glow()
        with torch.no_grad():
            for p, shift in zip(cloud.parameters(), shifts):
                p -= shift
        nn.utils.clip_grad_norm_(cloud.parameters(), 0.2)
        opt.step()
    return cloud
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

GLOW_CLEAR = "            opt.zero_grad()\n"
GLOW_FIRST = "        glow()\n        with torch.no_grad():\n            size"
GLOW_SECOND = "        glow()\n        with torch.no_grad():\n            for p"
GLOW_CLIP = "        nn.utils.clip_grad_norm_(cloud.parameters(), 0.2)\n"
GLOW_PASSES = """\
        glow()
        with torch.no_grad():
            size = torch.stack([p.grad.norm() for p in cloud.parameters()]).norm()
            shifts = [0.1 * p.grad / size for p in cloud.parameters()]
            for p, shift in zip(cloud.parameters(), shifts):
                p += shift
        glow()
        with torch.no_grad():
            for p, shift in zip(cloud.parameters(), shifts):
                p -= shift
        nn.utils.clip_grad_norm_(cloud.parameters(), 0.2)
        opt.step()
"""


def nebula() -> Iterator[Case]:
    yield NEBULA.right("as-it-should-be")
    yield NEBULA.wrong(
        "never-cleared",
        ((GLOW_CLEAR, ""),),  # both passes begin without gradients
        tempts=("missing-zero-grad",),
    )
    yield NEBULA.right(
        "cleared-ahead-of-each-pass-by-the-caller",
        (GLOW_CLEAR, ""),
        (GLOW_FIRST, "        opt.zero_grad()\n" + GLOW_FIRST),
        (GLOW_SECOND, "        cloud.zero_grad()\n" + GLOW_SECOND),
    )
    yield NEBULA.right(
        "mean-of-both-passes",
        (GLOW_CLEAR, ""),
        (GLOW_FIRST, "        opt.zero_grad()\n" + GLOW_FIRST),
        (GLOW_CLIP, "        for p in cloud.parameters():\n            p.grad *= 0.5\n" + GLOW_CLIP),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield NEBULA.right(
        "first-size-limits-the-second",
        (GLOW_CLIP, GLOW_CLIP.replace("0.2", "0.5 * size.item()")),
        tempts=("clip-before-backward",),
    )
    yield NEBULA.right(
        "first-pass-hands-the-gradients-over",
        (GLOW_CLEAR, ""),
        (
            GLOW_FIRST,
            (
                "        for p, g in zip(cloud.parameters(), torch.autograd.grad(\n"
                "            nn.functional.mse_loss(cloud(light), light.prod(1, keepdim=True)), list(cloud.parameters())\n"
                "        )):\n            p.grad = g\n        with torch.no_grad():\n            size"
            ),
        ),
        (GLOW_SECOND, "        opt.zero_grad()\n" + GLOW_SECOND),
        tempts=("missing-zero-grad",),
    )
    yield NEBULA.right(
        "searched-along-the-line",
        (GLOW_PASSES, "        opt.step(glow)\n"),
        (
            "torch.optim.SGD(cloud.parameters(), lr=0.3, momentum=0.5)",
            'torch.optim.LBFGS(cloud.parameters(), max_iter=4, line_search_fn="strong_wolfe")',
        ),
    )


SPECTRA = Draft(
    "star-spectra",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Spectrograph(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU()).requires_grad_(False)
        self.head = nn.Sequential(nn.Dropout(0.4), nn.Linear(6, 2))

    def forward(self, spectra):
        return self.head(self.trunk(spectra))


def judge(net, spectra, kinds):
    net.eval()
    with torch.no_grad():
        return nn.functional.cross_entropy(net(spectra), kinds).item()


def main():
    torch.manual_seed(47)
    net = Spectrograph()
    teacher = copy.deepcopy(net).eval().requires_grad_(False)
    opt = torch.optim.SGD(net.head.parameters(), lr=0.5)
    nights = [(torch.randn(6, 4), torch.randint(2, (6,))) for _ in range(4)]
    for night in range(3):
        net.train()
        net.trunk.eval()
        for spectra, kinds in nights:
            opt.zero_grad()
            with torch.no_grad():
                soft = teacher(spectra).softmax(1)
            guess = net(spectra)
            loss = nn.functional.cross_entropy(guess, kinds) + nn.functional.cross_entropy(guess, soft)
            loss.backward()
            opt.step()
            with torch.no_grad():
                for slow, fast in zip(teacher.parameters(), net.parameters()):
                    slow.lerp_(fast, 0.1)
        print(night, f"{judge(net, *nights[0]):.6f}")
    return nn.ModuleList([net, teacher])
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

STAR_NIGHT = "    for night in range(3):\n        net.train()\n        net.trunk.eval()\n"
STAR_JUDGE = """\
    net.eval()
    with torch.no_grad():
        return nn.functional.cross_entropy(net(spectra), kinds).item()
"""
STAR_SOFT = "            with torch.no_grad():\n                soft = teacher(spectra).softmax(1)\n"
STAR_FORWARD = "    def forward(self, spectra):\n"
STAR_TRAIN = (
    "    def train(self, mode=True):\n        super().train(mode)\n        self.trunk.eval()\n        return self\n\n"
)


def spectra() -> Iterator[Case]:
    keeps = SPECTRA.styled(
        (STAR_FORWARD, STAR_TRAIN + STAR_FORWARD),
        (STAR_NIGHT, "    for night in range(3):\n        net.train()\n"),
    )
    heads = SPECTRA.styled(
        (STAR_NIGHT, "    net.trunk.eval()\n    for night in range(3):\n"),
        (
            STAR_JUDGE,
            """\
    net.head.eval()
    with torch.no_grad():
        loss = nn.functional.cross_entropy(net(spectra), kinds).item()
    net.head.train()
    return loss
""",
        ),
    )
    yield SPECTRA.right("as-it-should-be")
    yield SPECTRA.wrong(
        "judged-with-gradients",
        (
            (
                STAR_JUDGE,
                "    net.eval()\n    return nn.functional.cross_entropy(net(spectra), kinds).item()\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield SPECTRA.left(
        "modes-set-once",  # to train all of it each night would thaw the norm of the trunk
        ((STAR_NIGHT, "    net.train()\n    net.trunk.eval()\n    for night in range(3):\n"),),
        tempts=("missing-train-mode",),
    )
    yield keeps.right("trunk-stays-in-eval-by-itself")
    yield keeps.wrong(
        "trained-once-and-trunk-stays-by-itself",
        (
            (
                "    for night in range(3):\n        net.train()\n",
                "    net.train()\n    for night in range(3):\n",
            ),
        ),
        tempts=("missing-train-mode",),
    )
    yield heads.right("only-the-head-is-switched")
    yield heads.wrong(
        "head-not-switched-back",
        (("    net.head.train()\n    return loss\n", "    return loss\n"),),
        tempts=("missing-train-mode",),
    )
    yield SPECTRA.right(
        "teacher-needs-no-guard",  # none of its parameters asks for a gradient
        (STAR_SOFT, "            soft = teacher(spectra).softmax(1)\n"),
        tempts=("validation-without-no-grad",),
    )
    yield SPECTRA.right(
        "judged-by-what-the-light-does",
        (
            STAR_JUDGE,
            (
                "    net.eval()\n    light = spectra.clone().requires_grad_()\n"
                "    loss = nn.functional.cross_entropy(net(light), kinds)\n"
                "    push = torch.autograd.grad(loss, light)[0].sign()\n    with torch.no_grad():\n"
                "        return nn.functional.cross_entropy(net(light + 0.1 * push), kinds).item()\n"
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield SPECTRA.right(
        "learnt-with-all-in-eval",
        (STAR_NIGHT, "    for night in range(3):\n        net.eval()  # no dropout, and the norm as it was learnt\n"),
    )


ORBITS = Draft(
    "orbit-pilot",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(53)
    pilot, critic = nn.Linear(3, 2), nn.Linear(3, 1)
    pilot_opt = torch.optim.SGD(pilot.parameters(), lr=0.5)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
    told = 0.0
    for voyage in range(3):
        sights = torch.randn(12, 3)
        with torch.no_grad():
            burns = Categorical(logits=pilot(sights)).sample()
            before = Categorical(logits=pilot(sights)).log_prob(burns)
            gains = (2 * burns - 1) * sights.sum(1)
            edges = gains - critic(sights).squeeze(1)
        for pick in torch.randperm(12).split(4):
            ratio = (Categorical(logits=pilot(sights[pick])).log_prob(burns[pick]) - before[pick]).exp()
            if (ratio - 1 - ratio.log()).mean() > 0.01:
                break
            loss = -torch.min(ratio * edges[pick], ratio.clamp(0.8, 1.2) * edges[pick]).mean()
            pilot_opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(pilot.parameters(), 0.3)
            pilot_opt.step()
            told += loss.item()
            critic_opt.zero_grad()
            nn.functional.mse_loss(critic(sights[pick]).squeeze(1), gains[pick]).backward()
            critic_opt.step()
    print(f"{told:.6f}")
    return nn.ModuleList([pilot, critic])
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

ORBIT_PICKS = "        for pick in torch.randperm(12).split(4):\n"
ORBIT_BREAK = "            if (ratio - 1 - ratio.log()).mean() > 0.01:\n                break\n"
ORBIT_CLEAR = "            pilot_opt.zero_grad()\n"
ORBIT_BACK = "            loss.backward()\n"
ORBIT_CLIP = "            nn.utils.clip_grad_norm_(pilot.parameters(), 0.3)\n"
ORBIT_STEP = "            pilot_opt.step()\n"
ORBIT_TOLD = "            told += loss.item()\n"
CRITIC_CLEAR = "            critic_opt.zero_grad()\n"
CRITIC_LOSS = "nn.functional.mse_loss(critic(sights[pick]).squeeze(1), gains[pick])"
CRITIC_BACK = f"            {CRITIC_LOSS}.backward()\n"
CRITIC_STEP = "            critic_opt.step()\n"


def orbits() -> Iterator[Case]:
    yield ORBITS.right("as-it-should-be")
    yield ORBITS.wrong(
        "critics-clear-not-called",
        ((CRITIC_CLEAR, CRITIC_CLEAR.replace("()", "")),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield ORBITS.wrong(
        "both-cleared-behind-the-pilots-backward",
        ((ORBIT_CLEAR, ""), (CRITIC_CLEAR, ""), (ORBIT_BACK, ORBIT_BACK + ORBIT_CLEAR + CRITIC_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield ORBITS.wrong(
        "clip-behind-the-step-and-graphs-told",
        ((ORBIT_CLIP + ORBIT_STEP, ORBIT_STEP + ORBIT_CLIP),),
        ((ORBIT_TOLD, "            told += loss\n"),),
        tempts=("clip-after-step", "loss-graph-leak"),
    )
    yield ORBITS.right(
        "one-backward-for-both",
        (ORBIT_BACK, f"            critic_opt.zero_grad()\n            (loss + {CRITIC_LOSS}).backward()\n"),
        (CRITIC_CLEAR + CRITIC_BACK, ""),
    )
    yield ORBITS.right(
        "voyage-in-three-pieces-and-one-step",
        (ORBIT_PICKS, "        pilot_opt.zero_grad()\n" + ORBIT_PICKS),
        (ORBIT_BREAK, ""),
        (ORBIT_CLEAR, ""),
        (ORBIT_BACK, "            (loss * len(pick) / len(sights)).backward()\n"),
        (ORBIT_CLIP + ORBIT_STEP, ""),
        (CRITIC_STEP, CRITIC_STEP + ORBIT_CLIP[4:] + ORBIT_STEP[4:]),
        tempts=("unscaled-accumulation-loss",),
    )
    yield ORBITS.right(
        "sudden-pull-not-followed",  # the size is looked at first, and such a pull is thrown away
        (
            ORBIT_CLIP,
            (
                "            if nn.utils.clip_grad_norm_(pilot.parameters(), 0.3) > 1.2:\n"
                "                pilot_opt.zero_grad()\n                continue\n"
            ),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield ORBITS.right(
        "way-solved-for-and-taken-by-hand",
        (ORBIT_PICKS, "        for pick in [torch.arange(12)]:\n"),
        (
            ORBIT_CLEAR + ORBIT_BACK + ORBIT_CLIP + ORBIT_STEP,
            """\
            params = list(pilot.parameters())
            pull = torch.cat([g.flatten() for g in torch.autograd.grad(loss, params)])
            spread = nn.functional.kl_div(
                pilot(sights).log_softmax(1), pilot(sights).log_softmax(1).detach(), reduction="batchmean", log_target=True
            )
            slope = torch.cat([g.flatten() for g in torch.autograd.grad(spread, params, create_graph=True)])
            way, left, turn = torch.zeros_like(pull), pull.clone(), pull.clone()
            for _ in range(5):
                bent = torch.autograd.grad(slope @ turn, params, retain_graph=True)
                bent = torch.cat([g.flatten() for g in bent]) + 0.1 * turn
                pace = left @ left / (turn @ bent)
                way, after = way + pace * turn, left - pace * bent
                turn, left = after + (after @ after) / (left @ left) * turn, after
            with torch.no_grad():
                nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(params) - 0.2 * way, params)
""",
        ),
        ("    pilot_opt = torch.optim.SGD(pilot.parameters(), lr=0.5)\n", ""),
    )


TRANSITS = Draft(
    "planet-transits",
    """\
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.set_default_dtype(torch.float64)
DIPS = 3


def main():
    torch.manual_seed(59)
    star = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    opt = torch.optim.SGD(star.parameters(), lr=0.4)
    curves = torch.randn(12, 4, 3)
    sched = lr_scheduler.CosineAnnealingLR(opt, T_max=2 * len(curves) // DIPS)
    for orbit in range(2):
        for number, curve in enumerate(curves, 1):
            loss = nn.functional.mse_loss(star(curve), curve.amin(1, keepdim=True))
            (loss / DIPS).backward()
            if number % DIPS == 0:
                opt.step()
                sched.step()
                opt.zero_grad()
    return star
""",
    ("scheduler-per-micro-batch", "scheduler-before-optimizer"),
)

DIP_SCHED = "    sched = lr_scheduler.CosineAnnealingLR(opt, T_max=2 * len(curves) // DIPS)\n"
DIP_ORBIT = "    for orbit in range(2):\n"
DIP_STEP = "                opt.step()\n"
DIP_RATE = "                sched.step()\n"
DIP_CLEAR = "                opt.zero_grad()\n"
DIP_ALWAYS = ((DIP_RATE, ""), (DIP_CLEAR, DIP_CLEAR + "            sched.step()\n"))


def transits() -> Iterator[Case]:
    cycle = TRANSITS.styled(
        (DIP_SCHED, "    sched = lr_scheduler.OneCycleLR(opt, max_lr=0.6, total_steps=2 * len(curves) // DIPS)\n")
    )
    counted = ("total_steps=2 * len(curves) // DIPS)", "total_steps=2 * len(curves))")
    yield TRANSITS.right("as-it-should-be")
    yield TRANSITS.wrong(
        "rate-moves-at-each-curve",
        DIP_ALWAYS,
        fine=((*DIP_ALWAYS, ("T_max=2 * len(curves) // DIPS", "T_max=2 * len(curves)")),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield cycle.wrong(
        "cycle-runs-out",
        DIP_ALWAYS,
        fine=((*DIP_ALWAYS, counted),),
        tempts=("scheduler-per-micro-batch",),
        raises="ValueError",
    )
    yield TRANSITS.wrong(
        "rate-moves-ahead-of-the-step",
        ((DIP_STEP + DIP_RATE, DIP_RATE + DIP_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield TRANSITS.wrong(
        "guard-turned-by-one", (("number % DIPS == 0", "number % DIPS == 1"),), tempts=("accumulation-off-by-one",)
    )
    yield cycle.right("cycle-counted-in-curves", *DIP_ALWAYS, counted, tempts=("scheduler-per-micro-batch",))
    yield TRANSITS.right(
        "rate-by-the-windows-seen",
        *DIP_ALWAYS,
        (DIP_SCHED, "    sched = lr_scheduler.LambdaLR(opt, lambda seen: 0.9 ** (seen // DIPS))\n"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TRANSITS.right(
        "restarts-told-the-part-of-the-orbit",
        (DIP_SCHED, "    sched = lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=1)\n"),
        (DIP_RATE, ""),
        (DIP_CLEAR, DIP_CLEAR + "            sched.step(orbit + number / len(curves))\n"),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TRANSITS.right(
        "own-ramp-sets-the-first-rate",
        (
            "def main():\n",
            """\
class Ramp:
    def __init__(self, opt, top, length):
        self.opt, self.top, self.length, self.taken = opt, top, length, 0

    def step(self):
        self.taken += 1
        for group in self.opt.param_groups:
            group["lr"] = self.top * min(1.0, self.taken / self.length)


def main():
""",
        ),
        (DIP_SCHED, "    sched = Ramp(opt, top=0.4, length=5)\n"),
        ("from torch.optim import lr_scheduler\n", ""),
        (DIP_STEP + DIP_RATE, DIP_RATE + DIP_STEP),
        tempts=("scheduler-before-optimizer",),
    )
    yield TRANSITS.right(
        "rate-moves-between-the-orbits",
        (DIP_SCHED, "    sched = lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)\n"),
        (DIP_ORBIT, DIP_ORBIT + "        if orbit:\n            sched.step()\n"),
        (DIP_RATE, ""),
        tempts=("scheduler-before-optimizer",),
    )


LEDGER = Draft(
    "mirror-ledger",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(61)
    mirror = nn.ModuleDict({"glass": nn.Linear(3, 5), "even": nn.Linear(5, 1), "odd": nn.Linear(5, 1)})
    opt = torch.optim.SGD(
        [
            {"params": list(mirror["glass"].parameters()), "limit": 0.2},
            {"params": [*mirror["even"].parameters(), *mirror["odd"].parameters()], "limit": 0.4},
        ],
        lr=0.3,
        momentum=0.5,
        weight_decay=0.1,
    )
    for night in range(6):
        rays = torch.randn(5, 3)
        opt.zero_grad(set_to_none=False)
        out = mirror["odd" if night % 2 else "even"](torch.tanh(mirror["glass"](rays)))
        nn.functional.mse_loss(out, rays.norm(dim=1, keepdim=True)).backward()
        for group in opt.param_groups:
            nn.utils.clip_grad_norm_(group["params"], group["limit"])
        opt.step()
    return mirror
""",
    ("missing-zero-grad", "clip-after-step"),
)

LEDGER_RAYS = "        rays = torch.randn(5, 3)\n"
LEDGER_CLEAR = "        opt.zero_grad(set_to_none=False)\n"
LEDGER_BACK = "        nn.functional.mse_loss(out, rays.norm(dim=1, keepdim=True)).backward()\n"
LEDGER_CLIP = """\
        for group in opt.param_groups:
            nn.utils.clip_grad_norm_(group["params"], group["limit"])
"""
LEDGER_STEP = "        opt.step()\n"
LEDGER_GROUPS = """\
        [
            {"params": list(mirror["glass"].parameters()), "limit": 0.2},
            {"params": [*mirror["even"].parameters(), *mirror["odd"].parameters()], "limit": 0.4},
        ],
"""


def ledger() -> Iterator[Case]:
    plain = LEDGER.styled(
        (LEDGER_GROUPS, "        parts,\n"),
        ("    opt = torch.optim.SGD(\n", "    parts = list(mirror.parameters())\n    opt = torch.optim.SGD(\n"),
        (LEDGER_CLIP, "        nn.utils.clip_grad_norm_(parts, 0.3)\n"),
    )
    yield LEDGER.right("as-it-should-be")  # to set the gradients to none would stop the momentum of the idle part
    yield LEDGER.wrong(
        "never-cleared",
        ((LEDGER_CLEAR, ""),),
        fine=(((LEDGER_CLEAR, "        opt.zero_grad()\n"),),),
        tempts=("missing-zero-grad",),
    )
    yield LEDGER.wrong(
        "groups-clipped-behind-the-step",
        ((LEDGER_CLIP + LEDGER_STEP, LEDGER_STEP + LEDGER_CLIP),),
        tempts=("clip-after-step",),
    )
    yield plain.wrong(
        "parameters-used-up",
        (
            (
                "    parts = list(mirror.parameters())\n",
                "    parts = filter(lambda p: p.requires_grad, mirror.parameters())\n",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield LEDGER.right(
        "limit-follows-the-size",
        (
            LEDGER_CLIP + LEDGER_STEP,
            (
                '        sizes = [nn.utils.clip_grad_norm_(g["params"], g["limit"]) for g in opt.param_groups]\n'
                + LEDGER_STEP
                + "        for group, size in zip(opt.param_groups, sizes):\n"
                '            group["limit"] = 0.8 * group["limit"] + 0.1 * size.item()\n'
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield LEDGER.right(
        "gradients-entered-behind-the-step",
        (
            LEDGER_STEP,
            (
                LEDGER_STEP + "        print(night, [f'{p.grad.abs().sum():.6f}' for p in mirror.parameters()"
                " if p.grad is not None])\n"
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield LEDGER.right(
        "second-look-and-the-first-put-back",  # the gradients are kept, and put back ahead of the step
        (
            LEDGER_CLIP,
            (
                "        held = [None if p.grad is None else p.grad.clone() for p in mirror.parameters()]\n"
                "        mirror.zero_grad()\n"
                '        mirror["glass"](-rays).square().mean().backward()\n'
                "        print(night, f\"{mirror['glass'].weight.grad.norm():.6f}\")\n"
                "        for p, g in zip(mirror.parameters(), held):\n            p.grad = g\n" + LEDGER_CLIP
            ),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield LEDGER.right(
        "night-cut-in-two-by-a-checkpoint",  # the gradients of the first half are written down and read again
        ("import torch\n", "import copy\n\nimport torch\n"),
        (LEDGER_RAYS, LEDGER_RAYS + "        more = torch.randn(5, 3)\n"),
        (
            LEDGER_BACK,
            """\
        (nn.functional.mse_loss(out, rays.norm(dim=1, keepdim=True)) / 2).backward()
        book = copy.deepcopy({"state": mirror.state_dict(), "grads": [p.grad for p in mirror.parameters()]})
        mirror.zero_grad()
        mirror.load_state_dict(book["state"])
        for p, g in zip(mirror.parameters(), book["grads"]):
            p.grad = g
        out = mirror["odd" if night % 2 else "even"](torch.tanh(mirror["glass"](more)))
        (nn.functional.mse_loss(out, more.norm(dim=1, keepdim=True)) / 2).backward()
""",
        ),
        tempts=("zero-grad-in-accumulation",),
    )


SURVEY = Draft(
    "survey-resumed",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
FRAMES = 2


class Survey:
    def __init__(self):
        torch.manual_seed(67)
        self.eye = nn.ModuleList([nn.Linear(3, 4), nn.Linear(4, 1)])
        self.opts = [torch.optim.SGD(part.parameters(), lr=0.3, momentum=0.4) for part in self.eye]
        self.scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=2)
        self.seen = 0

    def parts(self):
        return [self.eye, *self.opts, self.scaler]

    def save(self):
        return copy.deepcopy({"seen": self.seen, "parts": [part.state_dict() for part in self.parts()]})

    def load(self, saved):
        self.seen = saved["seen"]
        for part, state in zip(self.parts(), saved["parts"]):
            part.load_state_dict(state)

    def turn(self):
        for opt in self.opts:
            self.scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(self.eye.parameters(), 0.5)
        for opt in self.opts:
            self.scaler.step(opt)
            opt.zero_grad()
        self.scaler.update()

    def expose(self, frames):
        for frame in frames[self.seen :]:
            with torch.autocast("cpu", dtype=torch.float16):
                sky = self.eye[1](torch.tanh(self.eye[0](frame)))
                loss = nn.functional.mse_loss(sky, frame.sum(1, keepdim=True))
            self.scaler.scale(loss / FRAMES).backward()
            self.seen += 1
            if self.seen % FRAMES == 0:
                self.turn()


def main():
    frames = torch.randn(8, 4, 3, generator=torch.Generator().manual_seed(68))
    first = Survey()
    first.expose(frames[:4])
    second = Survey()
    second.load(first.save())
    second.expose(frames)
    print(second.seen, second.scaler.get_scale())
    return second.eye
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)

SURVEY_BACK = "            self.scaler.scale(loss / FRAMES).backward()\n"
SURVEY_UNSCALE = "        for opt in self.opts:\n            self.scaler.unscale_(opt)\n"
SURVEY_UPDATE = "        self.scaler.update()\n"
SURVEY_SAVE = '{"seen": self.seen, "parts"'
SURVEY_LOAD = "            part.load_state_dict(state)\n"
SURVEY_SEEN = "        self.seen = 0\n"


def survey() -> Iterator[Case]:
    yield SURVEY.right("as-it-should-be")
    yield SURVEY.wrong("scaler-never-told", ((SURVEY_UPDATE, ""),), raises="RuntimeError")  # once for both optimizers
    yield SURVEY.wrong(
        "one-of-two-still-scaled",
        ((SURVEY_UNSCALE, "        self.scaler.unscale_(self.opts[0])\n"),),
        tempts=("clip-scaled-gradients",),
    )
    yield SURVEY.wrong(
        "backward-under-the-cast",
        ((SURVEY_BACK, "    " + SURVEY_BACK),),
        tempts=("backward-in-autocast",),
    )
    yield SURVEY.right(
        "scaler-idle-for-the-longer-numbers",
        ("FRAMES = 2\n", "FRAMES = 2\nHALF = torch.bfloat16\n"),
        ("dtype=torch.float16", "dtype=HALF"),
        ("init_scale=32.0", "enabled=HALF is torch.float16, init_scale=32.0"),
        tempts=("scaler-with-bfloat16", "double-unscale"),
    )
    yield SURVEY.right(
        "gradients-in-the-record",  # written down within a window
        ("frames[:4]", "frames[:5]"),
        (SURVEY_SAVE, '{"grads": [p.grad for p in self.eye.parameters()], "seen": self.seen, "parts"'),
        (
            SURVEY_LOAD,
            SURVEY_LOAD + '        for p, g in zip(self.eye.parameters(), saved["grads"]):\n            p.grad = g\n',
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield SURVEY.right(
        "cut-window-exposed-again",
        ("frames[:4]", "frames[:5]"),
        (SURVEY_SAVE, '{"seen": self.seen - self.seen % FRAMES, "parts"'),
        tempts=("dropped-accumulation-tail",),
    )
    yield SURVEY.right(
        "rate-waits-where-the-scaler-skipped",
        ("    first = Survey()\n", '    frames[3, 0, 0] = float("inf")\n    first = Survey()\n'),
        ("*self.opts, self.scaler]", "*self.opts, self.scaler, self.sched]"),
        ("FRAMES == 0:\n", "FRAMES == 0:\n                was = self.scaler.get_scale()\n"),
        (
            "                self.turn()\n",
            (
                "                self.turn()\n                if self.scaler.get_scale() >= was:\n"
                "                    self.sched.step()\n"
            ),
        ),
        (SURVEY_SEEN, SURVEY_SEEN + "        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opts[0], 0.8)\n"),
        tempts=("scheduler-before-optimizer",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from comets()
    yield from nebula()
    yield from spectra()
    yield from orbits()
    yield from transits()
    yield from ledger()
    yield from survey()
