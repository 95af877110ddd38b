"""Shifts: a lamp is tended by one after the other, and what is handed over says how far its plan has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

EARLY = ("scheduler-before-optimizer",)

SHIFTS = Draft(
    "lamp-in-shifts",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def shift(nights, book=None, first=0, last=3):
    '''Tend the lamp for some nights; the book of the shift before says where the plan stands.'''
    lamp = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    oil = torch.optim.SGD(lamp.parameters(), lr=0.2, momentum=0.5)
    plan = torch.optim.lr_scheduler.MultiStepLR(oil, milestones=[1, 3, 4], gamma=0.3)
    if book is not None:
        lamp.load_state_dict(book["lamp"])
        oil.load_state_dict(book["oil"])
        plan.load_state_dict(book["plan"])
    for night in range(first, last):
        glow = 0.0
        for fog, light in nights:
            oil.zero_grad()
            loss = nn.functional.mse_loss(lamp(fog).squeeze(1), light)
            loss.backward()
            oil.step()
            glow += loss.item()
        plan.step()
        book = copy.deepcopy({"lamp": lamp.state_dict(), "oil": oil.state_dict(), "plan": plan.state_dict()})
        print(f"night {night}: {glow:.6f}")
    return lamp, book


def main():
    torch.manual_seed(401)
    nights = [(torch.randn(4, 3), torch.randn(4)) for _ in range(3)]
    _, book = shift(nights)
    lamp, _ = shift(nights, book, first=3, last=6)
    return lamp
""",
    EARLY,
)

KEEPERS = Draft(
    "keepers-of-the-lamp",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Keeper:
    def __init__(self, book=None):
        self.lamp = nn.Linear(3, 1)
        self.oil = torch.optim.Adam(self.lamp.parameters(), lr=0.1, eps=1e-2)
        self.plan = torch.optim.lr_scheduler.ExponentialLR(self.oil, gamma=0.5)
        self.night = 0
        if book is not None:
            self.lamp.load_state_dict(book["lamp"])
            self.oil.load_state_dict(book["oil"])
            self.plan.load_state_dict(book["plan"])
            self.night = book["night"]

    def write(self):
        self.book = copy.deepcopy(
            {
                "lamp": self.lamp.state_dict(),
                "oil": self.oil.state_dict(),
                "plan": self.plan.state_dict(),
                "night": self.night,
            }
        )

    def tend(self, nights, until):
        while self.night < until:
            self.night += 1
            for fog, light in nights:
                self.oil.zero_grad()
                nn.functional.mse_loss(self.lamp(fog).squeeze(1), light).backward()
                self.oil.step()
            self.plan.step()
            self.write()
        return self.book


def main():
    torch.manual_seed(409)
    nights = [(torch.randn(4, 3), torch.randn(4)) for _ in range(3)]
    book = Keeper().tend(nights, 2)
    last = Keeper(book)
    last.tend(nights, 5)
    return last.lamp
""",
    EARLY,
)


TRIALS = Draft(
    "wicks-on-trial",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def trial(nights, first=0, last=5):
    '''Burn at one rate after the other; the nights in front of `first` have been burnt before.'''
    lamp = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    oil = torch.optim.SGD(lamp.parameters(), lr=0.02)
    climb = torch.optim.lr_scheduler.ExponentialLR(oil, gamma=1.7)
    rates, glows = [], []
    for night in range(last):
        if night < first:
            climb.step()
            continue
        for fog, light in nights:
            oil.zero_grad()
            loss = nn.functional.mse_loss(lamp(fog).squeeze(1), light)
            loss.backward()
            oil.step()
        rates.append(climb.get_last_lr()[0])
        glows.append(loss.item())
        climb.step()
    for rate, glow in zip(rates, glows):
        print(f"{rate:.6f} {glow:.6f}")
    return lamp


def main():
    torch.manual_seed(419)
    nights = [(torch.randn(4, 3), torch.randn(4)) for _ in range(3)]
    trial(nights)
    return trial(nights, first=2)
""",
    EARLY,
)


def trials() -> Iterator[Case]:
    skip = "        if night < first:\n            climb.step()\n            continue\n"
    climb, oil = "        climb.step()\n", "            oil.step()\n"
    noted = "        rates.append(climb.get_last_lr()[0])\n"
    kept = "        glows.append(loss.item())\n"
    yield TRIALS.right("as-it-should-be", tempts=EARLY)
    # behind the `continue`, a schedule that comes first would not move in the nights that are left out
    yield TRIALS.right(
        "climbs-in-each-night", (skip, climb + skip.replace("            climb.step()\n", "")), (kept + climb, kept)
    )
    each = TRIALS.styled(
        (skip, ""),
        ("range(last)", "range(first, last)"),
        (oil, f"            oil.step()\n    {noted}    {kept}    {climb}"),
        (f"{noted}{kept}{climb}    for", "    for"),
    )
    late = f"    {noted}    {kept}    {climb}"
    yield each.right("rates-of-all-steps", tempts=EARLY)
    yield each.wrong("climbs-in-front-of-the-step", ((oil + late, f"    {climb}{oil}    {noted}    {kept}"),))


def shifts() -> Iterator[Case]:
    plan, glow = "        plan.step()\n", "        glow = 0.0\n"
    told = '        print(f"night {night}: {glow:.6f}")\n'
    early = ((plan, ""), (glow, plan + glow))
    rate = told.replace("{glow:.6f}", "{glow:.6f} at {plan.get_last_lr()[0]:.6f}")
    yield SHIFTS.right("as-it-should-be", tempts=EARLY)
    yield SHIFTS.wrong("plan-moves-at-dusk", early)
    # what is told must stay the rate of the night, what is written the place in the plan: nobody but its author can say
    yield SHIFTS.styled((told, rate)).right("plan-moves-at-dusk-and-the-rate-is-told", *early)
    kept = "        book = copy"
    yield SHIFTS.styled((plan, ""), (kept, plan + rate + kept), (told, "")).right(
        "rate-of-the-next-night-is-told", tempts=EARLY
    )


def keepers() -> Iterator[Case]:
    plan, night = "            self.plan.step()\n", "            self.night += 1\n"
    early = ((plan, ""), (night, night + plan))
    yield KEEPERS.right("as-it-should-be", tempts=EARLY)
    yield KEEPERS.wrong("plan-moves-at-dusk", early)


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from shifts()
    yield from keepers()
    yield from trials()
