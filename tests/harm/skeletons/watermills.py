"""Watermills: sacks with an `else` behind them, a sluice that learns, a duel, a wheel that is balanced, night watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GRIST = Draft(
    "grist-ledger",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
SACKS = 3


def main():
    torch.manual_seed(4)
    delivered = [(torch.randn(5, 4), torch.randn(5, 2)) for _ in range(8)]
    mill = nn.Sequential(nn.Linear(4, 7), nn.GELU(), nn.Linear(7, 2))
    opt = torch.optim.AdamW(mill.parameters(), lr=0.03, weight_decay=0.1)
    ledger = []
    for day in range(3):
        ground = 0
        for grain, flour in delivered:
            loss = nn.functional.l1_loss(mill(grain), flour)
            (loss / SACKS).backward()
            ledger.append(loss.detach())
            ground += 1
            if ground == SACKS:
                nn.utils.clip_grad_value_(mill.parameters(), 0.03)
                opt.step()
                opt.zero_grad()
                ground = 0
        else:
            if ground:
                for p in mill.parameters():
                    p.grad.mul_(SACKS / ground)
                nn.utils.clip_grad_value_(mill.parameters(), 0.02)
                opt.step()
                opt.zero_grad(set_to_none=True)
        print(day, round(torch.stack(ledger).max().item(), 4))
    return mill
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)
G_ELSE = """\
        else:
            if ground:
                for p in mill.parameters():
                    p.grad.mul_(SACKS / ground)
                nn.utils.clip_grad_value_(mill.parameters(), 0.02)
                opt.step()
                opt.zero_grad(set_to_none=True)
"""
G_CLIP = "                nn.utils.clip_grad_value_(mill.parameters(), 0.02)\n"
G_WINDOW = """\
                nn.utils.clip_grad_value_(mill.parameters(), 0.03)
                opt.step()
                opt.zero_grad()
"""
G_SUM = ("(loss / SACKS).backward()", "loss.backward()")


def grist() -> Iterator[Case]:
    yield GRIST.right("rest-weighs-as-much")
    yield GRIST.right(
        "rest-waits-for-tomorrow",
        ("        ground = 0\n        for grain", "        for grain"),
        ("    for day in range(3):\n", "    ground = 0\n    for day in range(3):\n"),
        (G_ELSE, ""),
    )
    yield GRIST.right(
        "each-window-by-what-it-holds",
        G_SUM,
        ("SACKS / ground", "1 / ground"),
        (G_WINDOW, "                for p in mill.parameters():\n                    p.grad /= SACKS\n" + G_WINDOW),
    )
    yield GRIST.right(
        "rest-is-thrown-away", (G_ELSE, "        opt.zero_grad()\n"), tempts=("dropped-accumulation-tail",)
    )
    yield GRIST.wrong("sum-in-a-window", (G_SUM,), tempts=("unscaled-accumulation-loss",))
    yield GRIST.wrong(
        "one-sack-too-many", (("if ground == SACKS:", "if ground > SACKS:"),), tempts=("accumulation-off-by-one",)
    )
    yield GRIST.wrong(
        "rest-is-clipped-late",
        ((G_CLIP + "                opt.step()\n", "                opt.step()\n" + G_CLIP),),
        tempts=("clip-after-step",),
    )
    yield GRIST.wrong(
        "clear-is-only-named",
        ((G_WINDOW, G_WINDOW.replace("zero_grad()", "zero_grad")),),
        (("ledger.append(loss.detach())", "ledger.append(loss)"),),
        tempts=("method-not-called", "loss-graph-leak"),
    )
    yield GRIST.wrong(
        "rest-stays-in-the-hopper",
        (("                opt.zero_grad(set_to_none=True)\n", ""),),
        tempts=("missing-zero-grad",),
    )


SLUICE = Draft(
    "sluice-keeper",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)
EPISODES = 3


class Sluice:
    def __init__(self, moves=5):
        self.moves = moves

    def reset(self):
        self.level, self.left = torch.rand(()) * 2, self.moves
        return self.seen()

    def seen(self):
        return torch.stack([self.level, torch.tensor(self.left / self.moves)])

    def step(self, opened):
        self.level = self.level + 0.3 * torch.rand(()) - 0.4 * opened
        self.left -= 1
        return self.seen(), -abs(self.level.item() - 1.0), self.left == 0


def play(keeper, sluice):
    logs, rewards, done = [], [], False
    state = sluice.reset()
    while not done:
        choice = Categorical(logits=keeper(state))
        action = choice.sample()
        state, reward, done = sluice.step(action.item())
        logs.append(choice.log_prob(action))
        rewards.append(reward)
    togo = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    return torch.stack(logs), togo


def main():
    torch.manual_seed(31)
    keeper = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 2))
    opt = torch.optim.RMSprop(keeper.parameters(), lr=0.02)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=6)
    sluice, history = Sluice(), []
    for update in range(5):
        opt.zero_grad()
        for _ in range(EPISODES):
            logs, togo = play(keeper, sluice)
            loss = -(logs * (togo - togo.mean())).mean()
            (loss / EPISODES).backward()
            history.append(loss.item())
        nn.utils.clip_grad_norm_(keeper.parameters(), 0.05)
        opt.step()
        sched.step()
    print(f"{sum(history):.4f}", len(history))
    return keeper
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)
S_CLEAR = "        opt.zero_grad()\n        for _"
S_CLIP = "        nn.utils.clip_grad_norm_(keeper.parameters(), 0.05)\n"
S_BACK = "            (loss / EPISODES).backward()\n"


def sluice() -> Iterator[Case]:
    yield SLUICE.right("window-of-episodes")
    yield SLUICE.right(
        "one-surrogate-for-all",
        (S_CLEAR, "        opt.zero_grad()\n        surrogate = 0.0\n        for _"),
        (S_BACK, "            surrogate += loss\n"),
        (S_CLIP, "        (surrogate / EPISODES).backward()\n" + S_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield SLUICE.right(
        "weighed-by-moves",
        (".mean()\n            (loss / EPISODES)", ".sum()\n            loss"),
        (S_CLIP, "        for p in keeper.parameters():\n            p.grad.div_(EPISODES * sluice.moves)\n" + S_CLIP),
    )
    yield SLUICE.right(
        "graph-kept-over-one-window",
        (S_CLEAR, "        opt.zero_grad()\n        played = []\n        for _"),
        (S_BACK, "            played.append(loss)\n"),
        (S_CLIP, "        torch.stack(played).mean().backward()\n" + S_CLIP),
        tempts=("loss-graph-leak",),
    )
    yield SLUICE.wrong(
        "cleared-for-each-episode",
        ((S_CLEAR, "        for _"), (S_BACK, "            opt.zero_grad()\n" + S_BACK)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield SLUICE.wrong(
        "clipped-for-each-episode",
        ((S_CLIP, ""), (S_BACK, S_BACK + "    " + S_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield SLUICE.wrong(
        "rate-falls-first-and-losses-stay",
        (("        opt.step()\n        sched.step()\n", "        sched.step()\n        opt.step()\n"),),
        (("loss.item()", "loss"),),
        tempts=("scheduler-before-optimizer", "loss-graph-leak"),
    )
    yield SLUICE.wrong(
        "other-number-of-episodes",
        (("(loss / EPISODES)", "(loss / 5)"),),
        tempts=("accumulation-divisor-mismatch",),
    )


DUEL = Draft(
    "miller-and-judge",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Duel:
    def __init__(self):
        self.miller = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 3))
        self.judge = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
        self.judged = list(self.judge.parameters())
        self.opt_m = torch.optim.SGD(self.miller.parameters(), lr=0.05, momentum=0.5)
        self.opt_j = torch.optim.SGD(self.judged, lr=0.05, momentum=0.5)

    def penalty(self, real, fake):
        mid = (0.5 * real + 0.5 * fake).requires_grad_()
        (slope,) = torch.autograd.grad(self.judge(mid).sum(), mid, create_graph=True)
        return (slope.norm(dim=1) - 1).pow(2).mean()

    def judge_turn(self, real):
        with torch.no_grad():
            fake = self.miller(torch.randn(len(real), 2))
        self.opt_j.zero_grad()
        loss = self.judge(fake).mean() - self.judge(real).mean() + 2 * self.penalty(real, fake)
        loss.backward()
        nn.utils.clip_grad_norm_(self.judged, 0.3)
        self.opt_j.step()
        return loss.item()

    def miller_turn(self, count):
        self.opt_m.zero_grad()
        loss = -self.judge(self.miller(torch.randn(count, 2))).mean()
        loss.backward()
        self.opt_m.step()
        return loss.item()

    def fit(self, batches):
        for turn, real in enumerate(batches):
            lost = self.judge_turn(real)
            if turn % 2 == 1:
                print(f"{lost:.4f} {self.miller_turn(len(real)):.4f}")


def main():
    torch.manual_seed(12)
    duel = Duel()
    duel.fit([torch.randn(6, 3) + 2 for _ in range(8)])
    return duel.miller, duel.judge
""",
    ("missing-zero-grad", "accumulation-off-by-one"),
)
J_CLEAR = "        self.opt_j.zero_grad()\n"
J_CLIP = "        nn.utils.clip_grad_norm_(self.judged, 0.3)\n"
J_STEP = "        self.opt_j.step()\n"
M_CLEAR = "        self.opt_m.zero_grad()\n"
M_BACK = "        loss.backward()\n        self.opt_m.step()\n"


def duel() -> Iterator[Case]:
    yield DUEL.right("cleared-ahead")
    yield DUEL.right(
        "judge-sleeps-in-the-other-turn",
        (J_CLEAR, ""),
        (J_STEP, J_STEP + J_CLEAR),
        (M_CLEAR, M_CLEAR + "        self.judge.requires_grad_(False)\n"),
        (M_BACK, M_BACK + "        self.judge.requires_grad_(True)\n"),
    )
    yield DUEL.right(
        "judge-is-wiped-before-the-miller-steps",
        (J_CLEAR, ""),
        (J_STEP, J_STEP + J_CLEAR),
        (M_BACK, "        loss.backward()\n        self.opt_j.zero_grad()\n        self.opt_m.step()\n"),
        tempts=("zero-grad-before-step", "missing-zero-grad"),
    )
    yield DUEL.right(
        "weights-are-clamped",
        (J_CLIP, ""),
        (" + 2 * self.penalty(real, fake)", ""),
        (
            J_STEP,
            J_STEP
            + "        with torch.no_grad():\n            for p in self.judged:\n                p.clamp_(-0.2, 0.2)\n",
        ),
        tempts=("clip-after-step",),
    )
    yield DUEL.right(
        "both-cleared-by-the-miller",
        (J_CLEAR, ""),
        (J_STEP, J_STEP + J_CLEAR),
        (M_BACK, M_BACK + "        self.judge.zero_grad()\n"),
    )
    yield DUEL.wrong("judge-never-cleared", ((J_CLEAR, ""),))
    yield DUEL.wrong("judge-cleared-too-soon", ((J_CLEAR, ""), (J_STEP, J_STEP + J_CLEAR)))
    yield DUEL.wrong(
        "judged-only-once",
        (("list(self.judge.parameters())", "self.judge.parameters()"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield DUEL.wrong(
        "miller-wiped-and-judge-clipped-late",
        ((M_CLEAR, ""), (M_BACK, M_BACK.replace("()\n        self", "()\n" + M_CLEAR + "        self"))),
        ((J_CLIP + J_STEP, J_STEP + J_CLIP),),
        tempts=("zero-grad-before-step", "clip-after-step"),
    )


WHEEL = Draft(
    "wheel-balance",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def offset(wheel, held):
    wheel.eval()
    with torch.no_grad():
        off = sum(nn.functional.mse_loss(wheel(x), y).item() for x, y in held)
    wheel.train()
    return off / len(held)


def main():
    torch.manual_seed(6)
    parts = [(torch.rand(7, 2), torch.rand(7, 1) * 4) for _ in range(3)]
    held = [(torch.rand(4, 2), torch.rand(4, 1) * 4) for _ in range(2)]
    wheel = nn.Sequential(nn.Linear(2, 5), nn.Softplus(), nn.LayerNorm(5), nn.Linear(5, 1))
    opt = torch.optim.LBFGS(wheel.parameters(), lr=0.5, max_iter=4, history_size=4)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.7)

    def closure():
        opt.zero_grad()
        total = 0.0
        for x, y in parts:
            loss = nn.functional.mse_loss(wheel(x), y) / len(parts)
            loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(wheel.parameters(), 0.8)
        return total

    for turn in range(4):
        first = opt.step(closure)
        sched.step()
        print(f"{turn} {first:.4f} {offset(wheel, held):.4f}")
    return wheel
""",
    ("missing-zero-grad", "clip-before-backward"),
)
W_CLEAR = "        opt.zero_grad()\n"
W_CLIP = "        nn.utils.clip_grad_norm_(wheel.parameters(), 0.8)\n"
W_STEP = "        first = opt.step(closure)\n"
W_LOOP = """\
        total = 0.0
        for x, y in parts:
            loss = nn.functional.mse_loss(wheel(x), y) / len(parts)
            loss.backward()
            total += loss.item()
"""


def wheel() -> Iterator[Case]:
    yield WHEEL.right("all-in-the-closure")
    yield WHEEL.right(
        "sum-with-its-own-gradient",
        (" / len(parts)", ""),
        ("history_size=4", 'line_search_fn="strong_wolfe"'),
        (W_CLIP, ""),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WHEEL.right(
        "graph-of-all-parts",
        (
            W_LOOP,
            """\
        total = 0.0
        for x, y in parts:
            total = total + nn.functional.mse_loss(wheel(x), y) / len(parts)
        total.backward()
""",
        ),
        tempts=("loss-graph-leak",),
    )
    yield WHEEL.right("cleared-by-the-wheel", (W_CLEAR, "        wheel.zero_grad()\n"))
    yield WHEEL.wrong("cleared-ahead-of-the-step", ((W_CLEAR, ""), (W_STEP, W_CLEAR + W_STEP)))
    yield WHEEL.wrong("never-cleared", ((W_CLEAR, ""),))
    yield WHEEL.wrong(
        "clipped-ahead-of-the-step", ((W_CLIP, ""), (W_STEP, W_CLIP + W_STEP)), tempts=("clip-before-backward",)
    )
    yield WHEEL.wrong(
        "rate-falls-first-and-graphs-for-nothing",
        ((W_STEP + "        sched.step()\n", "        sched.step()\n" + W_STEP),),
        (("    with torch.no_grad():\n        off", "    off"),),
        tempts=("scheduler-before-optimizer", "validation-without-no-grad"),
    )


NIGHT = Draft(
    "night-watch",
    """\
import torch
from torch import nn


def readings(night):
    rng = torch.Generator().manual_seed(night)
    for hour in range(6):
        x = torch.randn(4, 4, generator=rng)
        yield x * (1e25 if night and hour == 2 else 1.0), x.sum(1, keepdim=True)


def main():
    torch.manual_seed(9)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=2)
    skipped = 0
    for night in range(3):
        for hour, (x, y) in enumerate(readings(night)):
            loss = nn.functional.mse_loss(net(x), y)
            scaler.scale(loss / 2).backward()
            if hour % 2 == 1:
                scaler.unscale_(opt)
                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                scaler.step(opt)
                scaler.update()
                opt.zero_grad()
                skipped += not norm.isfinite().item()
    print(skipped, scaler.get_scale())
    return net
""",
    ("missing-scaler-update", "clip-scaled-gradients"),
)
N_UNSCALE = "                scaler.unscale_(opt)\n"
N_CLIP = "                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"
N_STEP = "                scaler.step(opt)\n"
N_UPDATE = "                scaler.update()\n"
N_BACK = "            scaler.scale(loss / 2).backward()\n"
N_ASK = "                if norm.isfinite():\n    "


def night() -> Iterator[Case]:
    yield NIGHT.right("as-it-is")
    yield NIGHT.right("limit-is-scaled-instead", (N_UNSCALE, ""), (", 0.5)", ", 0.5 * scaler.get_scale())"))
    yield NIGHT.right("step-asks-the-update-does-not", (N_STEP, N_ASK + N_STEP))
    yield NIGHT.wrong("clipped-with-the-scale", ((N_UNSCALE, ""),))
    yield NIGHT.wrong(
        "step-and-update-ask",
        ((N_STEP + N_UPDATE, N_ASK + N_STEP + "    " + N_UPDATE),),
        fine=(((N_STEP, N_ASK + N_STEP),),),
        raises="RuntimeError",
    )
    yield NIGHT.wrong(
        "unscaled-for-each-hour",
        ((N_UNSCALE, ""), (N_BACK, N_BACK + "            scaler.unscale_(opt)\n")),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield NIGHT.wrong("past-the-scaler", ((N_STEP, "                opt.step()\n"),), tempts=("step-bypasses-scaler",))
    yield NIGHT.wrong(
        "cleared-before-the-step",
        (("                opt.zero_grad()\n", ""), (N_STEP, "                opt.zero_grad()\n" + N_STEP)),
        tempts=("zero-grad-before-step",),
    )


def cases() -> Iterator[Case]:
    yield from grist()
    yield from sluice()
    yield from duel()
    yield from wheel()
    yield from night()
