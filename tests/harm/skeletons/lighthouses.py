"""Lighthouses: rival lamps, foggy nights, scaled beams, pupils and masters, a fleet on two ranks, charts of reefs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

LAMPS = Draft(
    "wreckers-lamp",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
LESSONS = 2


def true_lights(count):
    return 0.5 * torch.randn(count, 2) + 1.0


def steepness(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    slope = torch.autograd.grad(critic(between).sum(), between, create_graph=True)[0]
    return (slope.norm(dim=1) - 1).square().mean()


def teach_critic(lamp, critic, opt):
    real = true_lights(6)
    with torch.no_grad():
        fake = lamp(torch.randn(6, 3))
    opt.zero_grad()
    loss = critic(fake).mean() - critic(real).mean() + 2.0 * steepness(critic, real, fake)
    loss.backward()
    nn.utils.clip_grad_norm_(critic.parameters(), 0.4)
    opt.step()
    return loss.item()


def teach_lamp(lamp, critic, opt):
    opt.zero_grad()
    loss = -critic(lamp(torch.randn(6, 3))).mean()
    loss.backward()
    nn.utils.clip_grad_value_(lamp.parameters(), 0.05)
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(71)
    lamp = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    critic = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    lamp_opt = torch.optim.SGD(lamp.parameters(), lr=0.4, momentum=0.3)
    critic_opt = torch.optim.SGD(critic.parameters(), lr=0.2, momentum=0.3)
    lost = 0.0
    for night in range(4):
        for _ in range(LESSONS):
            lost += teach_critic(lamp, critic, critic_opt)
        lost += teach_lamp(lamp, critic, lamp_opt)
    print(f"lost {lost:.6f}")
    return nn.ModuleList([lamp, critic])
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

LAMP_FAKE = "    with torch.no_grad():\n        fake = lamp(torch.randn(6, 3))\n"
LAMP_CRITIC_CLEAR = "    opt.zero_grad()\n    loss = critic(fake)"
LAMP_CRITIC_CLIP = "    nn.utils.clip_grad_norm_(critic.parameters(), 0.4)\n"
LAMP_CLIP_STEP = "    nn.utils.clip_grad_value_(lamp.parameters(), 0.05)\n    opt.step()\n"
LAMP_LESSON = """\
    opt.zero_grad()
    loss = -critic(lamp(torch.randn(6, 3))).mean()
    loss.backward()
"""
LAMP_CRITIC_BACK = "steepness(critic, real, fake)\n    loss.backward()\n"
LAMP_CRITIC_STEP = LAMP_CRITIC_CLIP + "    opt.step()\n"
LAMP_CLEARED_BEHIND = (
    (LAMP_CRITIC_CLEAR, "    loss = critic(fake)"),
    (LAMP_CRITIC_STEP, LAMP_CRITIC_STEP + "    opt.zero_grad()\n"),
)


def lamps() -> Iterator[Case]:
    yield LAMPS.right("as-it-should-be")
    yield LAMPS.wrong(
        "critic-cleared-behind-its-step-and-the-lamp-fills-it",
        LAMP_CLEARED_BEHIND,
        tempts=("missing-zero-grad",),
    )
    yield LAMPS.right(
        "critic-cleared-behind-its-step-and-closed-to-the-lamp",
        *LAMP_CLEARED_BEHIND,
        (
            LAMP_LESSON,
            "    critic.requires_grad_(False)\n" + LAMP_LESSON + "    critic.requires_grad_(True)\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield LAMPS.wrong(
        "critic-wiped-ahead-of-its-step",
        (
            (LAMP_CRITIC_CLEAR, "    loss = critic(fake)"),
            (LAMP_CRITIC_STEP, LAMP_CRITIC_CLIP + "    opt.zero_grad()\n    opt.step()\n"),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield LAMPS.right(
        "lamp-wiped-ahead-of-the-step-of-the-critic",  # what the critic's loss left in the lamp
        (LAMP_FAKE, "    fake = lamp(torch.randn(6, 3))\n"),
        (LAMP_CRITIC_STEP, "    lamp.zero_grad()\n" + LAMP_CRITIC_STEP),
        ("    opt.zero_grad()\n    loss = -critic", "    loss = -critic"),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield LAMPS.wrong(
        "lamp-clipped-behind-the-step",
        ((LAMP_CLIP_STEP, "    opt.step()\n    nn.utils.clip_grad_value_(lamp.parameters(), 0.05)\n"),),
        tempts=("clip-after-step",),
    )
    yield LAMPS.right(
        "weights-held-in-a-box-behind-the-step",
        (" + 2.0 * steepness(critic, real, fake)", ""),
        (
            LAMP_CRITIC_STEP,
            (
                "    opt.step()\n    with torch.no_grad():\n"
                "        nn.utils.vector_to_parameters(\n"
                "            nn.utils.parameters_to_vector(critic.parameters()).clamp(-0.3, 0.3), critic.parameters()\n"
                "        )\n"
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield LAMPS.wrong(
        "losses-kept-with-their-graphs",
        (
            (
                LAMP_CRITIC_STEP + "    return loss.item()\n",
                LAMP_CRITIC_STEP + "    return loss\n",
            ),
            ('print(f"lost {lost:.6f}")', 'print(f"lost {lost.item():.6f}")'),
        ),
        tempts=("loss-graph-leak",),
    )
    yield LAMPS.right(
        "lamp-learns-from-a-sum",  # the total is what is differentiated
        (
            LAMP_LESSON,
            """\
    opt.zero_grad()
    total = 0.0
    for _ in range(3):
        loss = -critic(lamp(torch.randn(2, 3))).mean()
        total += loss
    loss = total / 3
    loss.backward()
""",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield LAMPS.right(
        "clears-of-both-at-the-top-of-the-night",  # the lamp's backward is told where to put its gradients
        (LAMP_CRITIC_CLEAR, "    loss = critic(fake)"),
        (LAMP_CRITIC_STEP, LAMP_CRITIC_STEP + "    critic.zero_grad()\n"),
        ("    opt.zero_grad()\n    loss = -critic", "    loss = -critic"),
        ("3))).mean()\n    loss.backward()\n", "3))).mean()\n    loss.backward(inputs=list(lamp.parameters()))\n"),
        ("    for night in range(4):\n", "    for night in range(4):\n        lamp_opt.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )


FOG = Draft(
    "fog-nights",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)
SHARED = 3
FADE = 0.9


class Keeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.ear = nn.Linear(3, 6)
        self.hand = nn.Linear(6, 2)
        self.hope = nn.Linear(6, 1)

    def forward(self, fog):
        heard = torch.tanh(self.ear(fog))
        return Categorical(logits=self.hand(heard)), self.hope(heard).squeeze(-1)


def nights(keeper, count):
    for _ in range(count):
        fog, logs, hopes, pay = torch.randn(3), [], [], []
        for _ in range(5):
            choice, hope = keeper(fog)
            horn = choice.sample()
            logs.append(choice.log_prob(horn))
            hopes.append(hope)
            pay.append(float((fog[0] > 0) == (horn == 1)))
            fog = 0.7 * fog + 0.5 * torch.randn(3)
        yield torch.stack(logs), torch.stack(hopes), pay


def worth(pay):
    later, found = 0.0, []
    for coin in reversed(pay):
        later = coin + FADE * later
        found.append(later)
    return torch.tensor(found[::-1])


def main():
    torch.manual_seed(73)
    keeper = Keeper()
    opt = torch.optim.SGD(keeper.parameters(), lr=0.3)
    told = 0.0
    for number, (logs, hopes, pay) in enumerate(nights(keeper, 12), 1):
        gains = worth(pay)
        edge = gains - hopes.detach()
        loss = -(logs * edge).mean() + nn.functional.mse_loss(hopes, gains)
        (loss / SHARED).backward()
        told += loss.item()
        if number % SHARED == 0:
            nn.utils.clip_grad_norm_(keeper.parameters(), 0.6)
            opt.step()
            opt.zero_grad()
    print(f"told {told:.6f}")
    return keeper
""",
    ("unscaled-accumulation-loss", "accumulation-off-by-one"),
)

FOG_BACK = "        (loss / SHARED).backward()\n"
FOG_TOLD = "        told += loss.item()\n"
FOG_GAINS = "        gains = worth(pay)\n"
FOG_CLIP = "            nn.utils.clip_grad_norm_(keeper.parameters(), 0.6)\n"
FOG_STEP = "            opt.step()\n            opt.zero_grad()\n"
FOG_TURN = "        if number % SHARED == 0:\n" + FOG_CLIP + FOG_STEP
FOG_PRINT = 'print(f"told {told:.6f}")'


def fog() -> Iterator[Case]:
    yield FOG.right("as-it-should-be")
    yield FOG.styled((FOG_CLIP, "")).wrong("nights-are-summed", ((FOG_BACK, "        loss.backward()\n"),))
    yield FOG.wrong(
        "numbered-from-nought",
        (("enumerate(nights(keeper, 12), 1)", "enumerate(nights(keeper, 12))"),),
        tempts=("accumulation-off-by-one",),
    )
    yield FOG.wrong(
        "wiped-at-dusk",
        ((FOG_GAINS, "        opt.zero_grad()\n" + FOG_GAINS), (FOG_STEP, "            opt.step()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield FOG.wrong(
        "clipped-every-night",
        ((FOG_CLIP, ""), (FOG_TOLD, FOG_CLIP.removeprefix("    ") + FOG_TOLD)),
        tempts=("clip-per-micro-batch",),
    )
    yield FOG.wrong(
        "telling-keeps-the-nights",  # a number has no .item()
        ((FOG_TOLD, "        told = told + loss\n"), (FOG_PRINT, 'print(f"told {told.item():.6f}")')),
        tempts=("loss-graph-leak",),
    )
    yield FOG.styled((FOG_CLIP, "")).right(
        "share-is-within-the-sums",
        ("SHARED = 3\n", "SHARED = 3\nPART = 1 / (SHARED * 5)\n"),
        (
            "        loss = -(logs * edge).mean() + nn.functional.mse_loss(hopes, gains)\n",
            "        loss = PART * ((hopes - gains).square() - logs * edge).sum()\n",
        ),
        (FOG_BACK, "        loss.backward()\n"),
    )
    yield FOG.right(
        "nights-gathered-and-differentiated-at-once",
        ("    told = 0.0\n", "    told = 0.0\n    losses = []\n"),
        (FOG_BACK, "        losses.append(loss)\n"),
        (
            FOG_TURN,
            """\
        if len(losses) == SHARED:
            torch.stack(losses).mean().backward()
            nn.utils.clip_grad_norm_(keeper.parameters(), 0.6)
            opt.step()
            opt.zero_grad()
            losses.clear()
""",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield FOG.right(
        "gradients-fade-and-are-never-cleared",  # a trace over the nights
        (FOG_BACK, "        ((1 - FADE) * loss).backward()\n"),
        (
            FOG_TURN,
            """\
        opt.step()
        for p in keeper.parameters():
            p.grad *= FADE
""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield FOG.right(
        "window-closes-when-enough-was-paid",
        ("    told = 0.0\n", "    told = 0.0\n    paid = waiting = 0\n"),
        (FOG_BACK, "        loss.backward()\n        waiting += 1\n        paid += sum(pay)\n"),
        (
            FOG_TURN,
            """\
        if paid >= 6 or number == 12:
            for p in keeper.parameters():
                p.grad /= waiting
            nn.utils.clip_grad_norm_(keeper.parameters(), 0.6)
            opt.step()
            opt.zero_grad()
            paid = waiting = 0
""",
        ),
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail"),
    )


BEAM = Draft(
    "scaled-beam",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SPAN = 2


class Beam:
    def __init__(self):
        torch.manual_seed(79)
        self.lens = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
        self.opt = torch.optim.SGD(self.lens.parameters(), lr=0.3, momentum=0.5)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=2)
        self.sizes = []

    def miss(self, rays, marks):
        return nn.functional.mse_loss(self.lens(rays), marks)

    def flash(self):
        self.scaler.unscale_(self.opt)
        size = nn.utils.clip_grad_norm_(self.lens.parameters(), 0.3)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        self.sizes.append(f"{size.item():.6f}")

    def sweep(self, nights):
        for number, (rays, marks) in enumerate(nights, 1):
            with torch.autocast("cpu", dtype=torch.float16):
                miss = self.miss(rays, marks)
            self.scaler.scale(miss / SPAN).backward()
            if number % SPAN == 0:
                self.flash()


def main():
    beam = Beam()
    nights = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(10)]
    nights[5][0][1, 2] = float("inf")  # lightning
    beam.sweep(nights)
    print(beam.scaler.get_scale(), *beam.sizes)
    return beam.lens
""",
    ("clip-scaled-gradients", "step-bypasses-scaler", "missing-scaler-update"),
)

BEAM_BACK = "            self.scaler.scale(miss / SPAN).backward()\n"
BEAM_UNSCALE = "        self.scaler.unscale_(self.opt)\n"
BEAM_CLIP = "        size = nn.utils.clip_grad_norm_(self.lens.parameters(), 0.3)\n"
BEAM_STEP = "        self.scaler.step(self.opt)\n"
BEAM_UPDATE = "        self.scaler.update()\n"
BEAM_CLEAR = "        self.opt.zero_grad()\n"
BEAM_SIZE = '        self.sizes.append(f"{size.item():.6f}")\n'
BEAM_RIDGE = "0.01 * self.lens[0].weight.square().sum()"


def beam() -> Iterator[Case]:
    bare = BEAM.styled((BEAM_UNSCALE, ""), (BEAM_CLIP, ""), (BEAM_SIZE, ""))
    ridge = BEAM.styled(
        (
            BEAM_BACK,
            "            ridge = " + BEAM_RIDGE + "\n"
            "            self.scaler.scale(miss / SPAN).backward()\n"
            "            self.scaler.scale(ridge / SPAN).backward()\n",
        )
    )
    yield BEAM.right("as-it-should-be")
    yield BEAM.wrong("clipped-while-scaled", ((BEAM_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield BEAM.wrong("scaler-not-told", ((BEAM_UPDATE, ""),), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield bare.wrong(
        "stepped-past-the-scaler",
        ((BEAM_STEP, "        self.opt.step()\n"),),
        tempts=("step-bypasses-scaler",),
        raises="AssertionError",
    )
    yield ridge.wrong(
        "ridge-without-the-scale",
        (("self.scaler.scale(ridge / SPAN).backward()", "(ridge / SPAN).backward()"),),
        tempts=("unscaled-backward",),
    )
    yield BEAM.wrong(
        "unscaled-again-for-the-log",
        ((BEAM_CLEAR, ""), (BEAM_UPDATE, BEAM_CLEAR), (BEAM_STEP, BEAM_STEP + BEAM_UNSCALE + BEAM_UPDATE)),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield BEAM.right(
        "holes-filled-and-stepped-by-hand",  # the scaler would skip what was filled
        (
            BEAM_CLIP,
            "        for p in self.lens.parameters():\n            p.grad.nan_to_num_(0.0, 0.0, 0.0)\n" + BEAM_CLIP,
        ),
        (BEAM_STEP, "        self.opt.step()\n"),
        tempts=("step-bypasses-scaler",),
    )
    yield BEAM.right(
        "limit-carries-the-scale",
        (BEAM_UNSCALE, "        scale = self.scaler.get_scale()\n"),
        ("self.lens.parameters(), 0.3)", "self.lens.parameters(), 0.3 * scale)"),
        ("size.item()", "size.item() / scale"),
        tempts=("clip-scaled-gradients",),
    )
    yield BEAM.right(
        "factor-taken-from-the-scaler",
        (
            BEAM_BACK,
            "            factor = self.scaler.scale(torch.ones(()))\n            (miss / SPAN).backward(factor)\n",
        ),
        tempts=("unscaled-backward", "unscaled-accumulation-loss"),
    )
    yield BEAM.right(
        "scaler-keeps-watch-over-wide-numbers",  # without it the lightning would reach the weights
        ("dtype=torch.float16", "dtype=torch.bfloat16"),
        tempts=("scaler-with-bfloat16",),
    )


PUPILS = Draft(
    "pupil-and-master",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


def main():
    torch.manual_seed(83)
    pupil = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 3))
    master = copy.deepcopy(pupil).requires_grad_(False)
    master.eval()
    opt = torch.optim.SGD(pupil.parameters(), lr=0.2, momentum=0.6)
    drills = [(torch.randn(6, 4), torch.randint(3, (6,))) for _ in range(4)]
    held, names = torch.randn(8, 4), torch.randint(3, (8,))
    record = []

    def follow():
        with torch.no_grad():
            for slow, fast in zip(master.parameters(), pupil.parameters()):
                slow.lerp_(fast, 0.2)
            for slow, fast in zip(master.buffers(), pupil.buffers()):
                slow.copy_(fast)

    def learn(lights, kinds):
        opt.zero_grad()
        guess = pupil(lights)
        with torch.no_grad():
            shown = master(lights).softmax(1)
        loss = F.cross_entropy(guess, kinds) + 0.5 * F.cross_entropy(guess, shown)
        loss.backward()
        opt.step()
        follow()
        record.append(loss.item())

    def exam(who):
        who.eval()
        with torch.no_grad():
            return F.cross_entropy(who(held), names).item()

    for term in range(3):
        pupil.train()
        for drill in drills:
            learn(*drill)
        print(term, f"{exam(pupil):.6f} {exam(master):.6f}")
    print(f"{sum(record):.6f}")
    return nn.ModuleList([pupil, master])
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

PUPIL_TERM = "    for term in range(3):\n        pupil.train()\n"
PUPIL_EXAM = """\
        who.eval()
        with torch.no_grad():
            return F.cross_entropy(who(held), names).item()
"""
PUPIL_SHOWN = "        with torch.no_grad():\n            shown = master(lights).softmax(1)\n"
PUPIL_LEARN = "        opt.zero_grad()\n        guess"
PUPIL_BACK = "        loss.backward()\n        opt.step()\n"


def pupils() -> Iterator[Case]:
    yield PUPILS.right("as-it-should-be")
    yield PUPILS.wrong(
        "never-back-from-the-exam",  # the master must not be put into training mode
        ((PUPIL_TERM, "    pupil.train()\n    for term in range(3):\n"),),
        tempts=("missing-train-mode",),
    )
    yield PUPILS.wrong(
        "train-without-the-call",
        ((PUPIL_TERM, "    for term in range(3):\n        pupil.train\n"),),
        tempts=("method-not-called", "missing-train-mode"),
    )
    yield PUPILS.wrong(
        "exam-with-gradients",
        ((PUPIL_EXAM, "        who.eval()\n        return F.cross_entropy(who(held), names).item()\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield PUPILS.wrong(
        "record-holds-the-graphs",
        (("record.append(loss.item())", "record.append(loss)"),),
        tempts=("loss-graph-leak",),
    )
    yield PUPILS.wrong("lessons-pile-up", ((PUPIL_LEARN, "        guess"),), tempts=("missing-zero-grad",))
    yield PUPILS.right(
        "a-name-that-must-not-be-called",  # left over; its call would wipe what is stepped
        (PUPIL_BACK, "        loss.backward()\n        opt.zero_grad\n        opt.step()\n"),
        tempts=("method-not-called",),
    )
    yield PUPILS.right(
        "trained-in-the-first-term-only",  # from then on with the norms as they were learnt
        ("        pupil.train()\n", "        if term == 0:\n            pupil.train()\n"),
        tempts=("missing-train-mode",),
    )
    yield PUPILS.right(
        "exam-gives-the-mode-back",
        (PUPIL_TERM, "    pupil.train()\n    for term in range(3):\n"),
        (
            PUPIL_EXAM,
            """\
        mode = who.training
        who.train(False)
        try:
            with torch.inference_mode():
                return F.cross_entropy(who(held), names).item()
        finally:
            who.train(mode)
""",
        ),
    )
    yield PUPILS.right(
        "calm-answers-are-learnt-from",  # evaluated with gradients, which a backward uses
        (
            "        for drill in drills:\n",
            """\
        pupil.eval()
        calm = pupil(held)
        pupil.train()
        opt.zero_grad()
        (0.1 * F.mse_loss(calm, master(held))).backward()
        opt.step()
        for drill in drills:
""",
        ),
        tempts=("validation-without-no-grad", "missing-train-mode"),
    )


FLEET = Draft(
    "pilot-fleet",
    """\
import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
SPAN = 2


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(89)
    boats = TensorDataset(torch.randn(16, 3), torch.randn(16, 1))
    sampler = DistributedSampler(boats, shuffle=True, seed=5)
    loader = DataLoader(boats, batch_size=2, sampler=sampler)
    fleet = DistributedDataParallel(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
    opt = torch.optim.SGD(fleet.parameters(), lr=0.3, momentum=0.4)
    for tide in range(3):
        sampler.set_epoch(tide)
        for number, (wind, course) in enumerate(loader, 1):
            closes = number % SPAN == 0
            with contextlib.nullcontext() if closes else fleet.no_sync():
                drift = nn.functional.mse_loss(fleet(wind), course)
                (drift / SPAN).backward()
            if closes:
                nn.utils.clip_grad_norm_(fleet.parameters(), 0.5)
                opt.step()
                opt.zero_grad()
    return fleet.module
""",
    ("missing-no-sync", "missing-set-epoch", "step-without-sync"),
    ranks=2,
)

FLEET_SET = "        sampler.set_epoch(tide)\n"
FLEET_CONTEXT = "            with contextlib.nullcontext() if closes else fleet.no_sync():\n"
FLEET_DRIFT = "                drift = nn.functional.mse_loss(fleet(wind), course)\n"
FLEET_BACK = "                (drift / SPAN).backward()\n"
FLEET_CLIP = "                nn.utils.clip_grad_norm_(fleet.parameters(), 0.5)\n"
FLEET_STEP = "                opt.step()\n                opt.zero_grad()\n"
FLEET_SYNCED = (
    FLEET_CONTEXT + FLEET_DRIFT + FLEET_BACK,
    "            drift = nn.functional.mse_loss(fleet(wind), course)\n            (drift / SPAN).backward()\n",
)
FLEET_ALONE = (FLEET_CONTEXT, "            with fleet.no_sync():\n")
FLEET_IMPORT = ("import contextlib\n\n", "")


def fleet() -> Iterator[Case]:
    yield FLEET.right("as-it-should-be")
    yield FLEET.wrong("same-order-each-tide", ((FLEET_SET, ""),), tempts=("missing-set-epoch",))
    yield FLEET.wrong(
        "forward-ahead-of-the-context",
        (
            (
                FLEET_CONTEXT + FLEET_DRIFT,
                "            drift = nn.functional.mse_loss(fleet(wind), course)\n" + FLEET_CONTEXT,
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield FLEET.wrong("every-boat-is-waited-for", (FLEET_SYNCED, FLEET_IMPORT), tempts=("missing-no-sync",))
    yield FLEET.wrong("nobody-is-waited-for", (FLEET_ALONE, FLEET_IMPORT), tempts=("step-without-sync",))
    yield FLEET.right(
        "common-pull-is-told-each-time",  # of both ranks: what it says is no longer so without the all-reduce
        FLEET_SYNCED,
        FLEET_IMPORT,
        (
            "            if closes:\n",
            (
                "            pull = torch.stack([p.grad.norm() for p in fleet.parameters()]).norm()\n"
                '            print(tide, number, f"{pull:.6f}")\n            if closes:\n'
            ),
        ),
        tempts=("missing-no-sync",),
    )
    yield FLEET.right(
        "last-tide-is-remembered-by-its-place",  # the order must be the same
        (FLEET_SET, ""),
        ("    for tide in range(3):\n", "    logbook = []\n    for tide in range(3):\n"),
        (
            FLEET_DRIFT,
            """\
                guess = fleet(wind)
                if tide:
                    course = 0.5 * (course + logbook[number - 1])
                else:
                    logbook.append(guess.detach())
                drift = nn.functional.mse_loss(guess, course)
""",
        ),
        tempts=("missing-set-epoch",),
    )
    yield FLEET.right(
        "averaged-by-hand",
        FLEET_ALONE,
        FLEET_IMPORT,
        (
            FLEET_CLIP,
            """\
                for p in fleet.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
"""
            + FLEET_CLIP,
        ),
        tempts=("step-without-sync",),
    )
    yield FLEET.right(
        "boats-sail-alone-and-meet-at-the-turn",
        FLEET_ALONE,
        FLEET_IMPORT,
        (
            FLEET_STEP,
            FLEET_STEP
            + """\
        with torch.no_grad():
            for p in fleet.parameters():
                dist.all_reduce(p)
                p /= dist.get_world_size()
""",
        ),
        tempts=("step-without-sync",),
    )
    yield FLEET.right(
        "a-sampler-for-each-tide",
        ("    sampler = DistributedSampler(boats, shuffle=True, seed=5)\n", ""),
        ("    loader = DataLoader(boats, batch_size=2, sampler=sampler)\n", ""),
        (
            FLEET_SET,
            (
                "        sampler = DistributedSampler(boats, shuffle=True, seed=5 + tide)\n"
                "        loader = DataLoader(boats, batch_size=2, sampler=sampler)\n"
            ),
        ),
        tempts=("missing-set-epoch",),
    )


REEFS = Draft(
    "reef-charts",
    """\
import copy

import torch
from torch import nn
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)
REEFS = 3


def soundings():
    bend = torch.randn(2, 1)
    near, far = torch.randn(5, 2), torch.randn(5, 2)
    return near, torch.sin(near @ bend), far, torch.sin(far @ bend)


def adapt(chart, near, depth):
    quick = copy.deepcopy(chart)
    inner = torch.optim.SGD(quick.parameters(), lr=0.1, momentum=0.5)
    for _ in range(2):
        inner.zero_grad()
        mse_loss(quick(near), depth).backward()
        inner.step()
    return quick


def main():
    torch.manual_seed(97)
    chart = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
    outer = torch.optim.SGD(chart.parameters(), lr=0.4, momentum=0.5)
    for voyage in range(4):
        outer.zero_grad()
        for _ in range(REEFS):
            near, depth, far, deep = soundings()
            quick = adapt(chart, near, depth)
            quick.zero_grad()
            (mse_loss(quick(far), deep) / REEFS).backward()
            for slow, fast in zip(chart.parameters(), quick.parameters()):
                slow.grad = fast.grad if slow.grad is None else slow.grad + fast.grad
        nn.utils.clip_grad_norm_(chart.parameters(), 0.2)
        outer.step()
    return chart
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

REEF_CLEAR = "        outer.zero_grad()\n"
REEF_INNER = "        inner.zero_grad()\n"
REEF_QUICK = "            quick = adapt(chart, near, depth)\n            quick.zero_grad()\n"
REEF_BACK = "            (mse_loss(quick(far), deep) / REEFS).backward()\n"
REEF_HAND = """\
            for slow, fast in zip(chart.parameters(), quick.parameters()):
                slow.grad = fast.grad if slow.grad is None else slow.grad + fast.grad
"""
REEF_CLIP = "        nn.utils.clip_grad_norm_(chart.parameters(), 0.2)\n"
REEF_ADAPT = """\
    for _ in range(2):
        inner.zero_grad()
        mse_loss(quick(near), depth).backward()
        inner.step()
    return quick
"""


def reefs() -> Iterator[Case]:
    yield REEFS.right("as-it-should-be")
    yield REEFS.wrong("voyages-pile-up", ((REEF_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield REEFS.wrong("inner-never-cleared", ((REEF_INNER, ""),), tempts=("missing-zero-grad",))
    yield REEFS.wrong(
        "inner-wiped-ahead-of-its-step",
        ((REEF_INNER, ""), ("        inner.step()\n", "        inner.zero_grad()\n        inner.step()\n")),
        tempts=("zero-grad-before-step",),
    )
    yield REEFS.wrong(
        "clipped-after-each-reef",
        ((REEF_CLIP, ""), (REEF_HAND, REEF_HAND + "    " + REEF_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield REEFS.wrong(
        "reefs-are-summed",
        ((REEF_BACK, "            mse_loss(quick(far), deep).backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield REEFS.right(
        "distance-walked-is-the-gradient",
        (
            REEF_CLEAR,
            "        start = nn.utils.parameters_to_vector(chart.parameters()).detach()\n        walked = 0.0\n",
        ),
        ("            quick.zero_grad()\n" + REEF_BACK + REEF_HAND, ""),
        (
            "            quick = adapt(chart, near, depth)\n",
            (
                "            quick = adapt(chart, near, depth)\n"
                "            walked += (start - nn.utils.parameters_to_vector(quick.parameters()).detach()) / REEFS\n"
            ),
        ),
        (
            REEF_CLIP,
            """\
        at = 0
        for p in chart.parameters():
            p.grad = walked[at : at + p.numel()].view_as(p).clone()
            at += p.numel()
"""
            + REEF_CLIP,
        ),
        tempts=("missing-zero-grad",),
    )
    yield REEFS.right(
        "through-the-inner-step",  # the sum keeps every graph until its one backward
        (
            REEF_ADAPT,
            """\
    return quick


def inner_loss(chart, near, depth, far, deep):
    fast = dict(chart.named_parameters())
    pulls = torch.autograd.grad(mse_loss(chart(near), depth), list(fast.values()), create_graph=True)
    fast = {name: p - 0.1 * g for (name, p), g in zip(fast.items(), pulls)}
    return mse_loss(torch.func.functional_call(chart, fast, (far,)), deep)
""",
        ),
        (REEF_CLEAR, REEF_CLEAR + "        total = 0.0\n"),
        (REEF_QUICK + REEF_BACK + REEF_HAND, "            total = total + inner_loss(chart, near, depth, far, deep)\n"),
        (REEF_CLIP, "        (total / REEFS).backward()\n" + REEF_CLIP),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield REEFS.right(
        "one-inner-step-of-a-fresh-copy",
        (
            REEF_ADAPT,
            """\
    for side, floor in zip(near.split(3), depth.split(3)):
        (mse_loss(quick(side), floor, reduction="sum") / len(near)).backward()
    inner.step()
    return quick
""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield REEFS.right(
        "walked-by-a-line-search",
        (
            REEF_ADAPT,
            """\
    inner = torch.optim.LBFGS(quick.parameters(), max_iter=2, line_search_fn="strong_wolfe")

    def sound():
        quick.zero_grad()
        loss = mse_loss(quick(near), depth)
        loss.backward()
        return loss

    inner.step(sound)
    return quick
""",
        ),
        ("    inner = torch.optim.SGD(quick.parameters(), lr=0.1, momentum=0.5)\n", ""),
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from lamps()
    yield from fog()
    yield from beam()
    yield from pupils()
    yield from fleet()
    yield from reefs()
