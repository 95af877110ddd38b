"""A camera over points, a ward's nights, a milking parlour, a chess club and a lathe's double."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

POINTS = Draft(
    "points-camera",
    """\
import torch
from torch import nn


class Inspector:
    def __init__(self, window=3):
        torch.manual_seed(4)
        self.net = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.window = window
        self.norms = []

    def frames(self, shift):
        gen = torch.Generator().manual_seed(shift)
        for n in range(11):
            x = torch.randn(4, 6, generator=gen)
            yield (x * float("inf") if n == 4 else x), (x.sum(1) > 0).long()

    def close(self):
        self.scaler.unscale_(self.opt)
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)
        self.norms.append(norm.item())
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def shift(self, number):
        held = 0
        for x, y in self.frames(number):
            loss = nn.functional.cross_entropy(self.net(x), y)
            if not torch.isfinite(loss):
                continue
            self.scaler.scale(loss / self.window).backward()
            held += 1
            if held == self.window:
                self.close()
                held = 0
        if held:
            self.close()


def main():
    inspector = Inspector()
    for number in range(2):
        inspector.shift(number)
    print(" ".join(f"{norm:.4f}" for norm in inspector.norms))
    return inspector.net
""",
    ("unscaled-accumulation-loss", "missing-scaler-update"),
)
P_BACKWARD = "            self.scaler.scale(loss / self.window).backward()\n"
P_FLUSH = "        if held:\n            self.close()\n"
P_SKIP = "            if not torch.isfinite(loss):\n                continue\n"


def points() -> Iterator[Case]:
    yield POINTS.right("as-it-should-be")
    yield POINTS.right(
        "rest-waits-for-the-next-shift",
        ("        self.norms = []\n", "        self.norms = []\n        self.held = 0\n"),
        ("        held = 0\n        for", "        for"),
        ("            held += 1\n            if held ==", "            self.held += 1\n            if self.held =="),
        ("                held = 0\n" + P_FLUSH, "                self.held = 0\n"),
        tempts=("dropped-accumulation-tail", "accumulation-off-by-one"),
    )
    yield POINTS.right(
        "bad-frame-gives-up-its-window",
        (
            P_SKIP,
            P_SKIP.replace("continue", "self.opt.zero_grad()\n                held = 0\n                continue"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield POINTS.right(
        "rest-is-weighed-by-hand",
        (
            P_FLUSH,
            (
                "        if held:\n            for p in self.net.parameters():\n"
                "                p.grad.mul_(self.window / held)\n            self.close()\n"
            ),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield POINTS.wrong(
        "clipped-while-scaled", (("        self.scaler.unscale_(self.opt)\n", ""),), tempts=("clip-scaled-gradients",)
    )
    yield POINTS.wrong(
        "unscaled-by-the-caller-too",
        (
            (
                "                self.close()\n",
                "                self.scaler.unscale_(self.opt)\n                self.close()\n",
            ),
        ),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield POINTS.wrong(
        "cleared-with-each-frame",
        ((P_BACKWARD, "            self.opt.zero_grad()\n" + P_BACKWARD),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield POINTS.wrong(
        "undivided-and-clipped-late",
        (("loss / self.window", "loss"),),
        (
            (
                (
                    "        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)\n"
                    "        self.norms.append(norm.item())\n        self.scaler.step(self.opt)\n"
                ),
                (
                    "        self.scaler.step(self.opt)\n"
                    "        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)\n"
                    "        self.norms.append(norm.item())\n"
                ),
            ),
        ),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


WARD = Draft(
    "ward-round",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
criterion = nn.BCEWithLogitsLoss()


def patients(seed, count):
    gen = torch.Generator().manual_seed(seed)
    beds = [torch.randn(5, 4, generator=gen) for _ in range(count)]
    return [(x, (x[:, :1] * x[:, 1:2] > 0).double()) for x in beds]


def evaluate(net, held):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in held:
            total += criterion(net(x), y).item()
    return total / len(held)


def main():
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.02)
    held = patients(99, 3)
    best, waited, kept = float("inf"), 0, None
    for night in range(6):
        net.train()
        for x, y in patients(night, 4):
            opt.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            opt.step()
        score = evaluate(net, held)
        print(f"{night}: {score:.4f}")
        if score < best:
            best, waited, kept = score, 0, copy.deepcopy(net.state_dict())
        elif (waited := waited + 1) > 2:
            break
    else:
        print("never tired")
    net.load_state_dict(kept)
    return net
""",
    ("missing-train-mode", "validation-without-no-grad"),
)
W_TRAIN = "        net.train()\n"
W_LOOP = "    for night in range(6):\n"
W_ONCE = (W_LOOP + W_TRAIN, "    net.train()\n" + W_LOOP)
W_EVAL = """\
    with torch.no_grad():
        for x, y in held:
            total += criterion(net(x), y).item()
"""
W_GRADS = "    for x, y in held:\n        total += criterion(net(x), y).item()\n"


def ward() -> Iterator[Case]:
    yield WARD.right("as-it-should-be")
    yield WARD.right(
        "mode-is-put-back",
        W_ONCE,
        ("    net.eval()\n", "    before = net.training\n    net.eval()\n"),
        ("    return total / len(held)\n", "    net.train(before)\n    return total / len(held)\n"),
    )
    yield WARD.right("norm-sleeps", (W_TRAIN, W_TRAIN + "        net[1].eval()\n"))
    yield WARD.right(
        "asks-what-the-inputs-do",
        (
            W_EVAL,
            (
                "    for x, y in held:\n        x = x.clone().requires_grad_()\n"
                "        (slope,) = torch.autograd.grad(criterion(net(x), y), x)\n"
                "        total += slope.abs().sum().item()\n"
            ),
        ),
    )
    yield WARD.wrong("woken-once", (W_ONCE,))
    yield WARD.styled((W_TRAIN, W_TRAIN + "        net[1].eval()\n")).wrong(
        "woken-once-but-for-the-norm",
        ((W_LOOP + W_TRAIN + "        net[1].eval()\n", "    net.train()\n    net[1].eval()\n" + W_LOOP),),
    )
    yield WARD.wrong("graphs-of-an-evaluation", ((W_EVAL, W_GRADS),))
    yield WARD.wrong("graphs-are-summed", ((W_EVAL, W_GRADS.replace(".item()", "")),), tempts=("loss-graph-leak",))
    yield WARD.wrong(
        "two-names-without-a-call",
        ((W_TRAIN, "        net.train\n"),),
        (("            opt.zero_grad()\n", "            opt.zero_grad\n"),),
        tempts=("method-not-called",),
    )


PARLOUR = Draft(
    "milking-parlour",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def herd(day):
    gen = torch.Generator().manual_seed(day)
    for _ in range(7 + day % 2):
        cow = torch.rand(3, 4, generator=gen)
        yield cow, (cow * torch.tensor([1.0, -2.0, 3.0, 0.5])).sum(1, keepdim=True)


def feeder(net, opt, group):
    pending = 0

    def flush():
        nonlocal pending
        if pending:
            for p in net.parameters():
                p.grad /= pending
            nn.utils.clip_grad_value_(net.parameters(), 0.3)
            opt.step()
            opt.zero_grad()
            pending = 0

    def feed(cow, milk):
        nonlocal pending
        loss = nn.functional.huber_loss(net(cow), milk)
        loss.backward()
        pending += 1
        if pending == group:
            flush()
        return loss.detach()

    return feed, flush


def main():
    torch.manual_seed(31)
    net = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 1))
    feed, flush = feeder(net, torch.optim.SGD(net.parameters(), lr=0.3), group=3)
    for day in range(3):
        litres = 0.0
        for cow, milk in herd(day):
            litres += feed(cow, milk)
        flush()
        print(f"day {day}: {litres:.4f}")
    return net
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail"),
)
M_DIVIDE = "            for p in net.parameters():\n                p.grad /= pending\n"
M_CLIP = "            nn.utils.clip_grad_value_(net.parameters(), 0.3)\n"
M_STEP = "            opt.step()\n"


def parlour() -> Iterator[Case]:
    yield PARLOUR.right("divided-by-what-came")
    yield PARLOUR.right("rest-waits-for-the-next-day", ("        flush()\n        print", "        print"))
    yield PARLOUR.right("sum-with-a-smaller-rate", (M_DIVIDE, ""), (M_CLIP, ""), ("lr=0.3", "lr=0.3 / 3"))
    yield PARLOUR.right(
        "gradients-that-fade",
        ("            opt.zero_grad()\n", "            for p in net.parameters():\n                p.grad *= 0.25\n"),
        tempts=("missing-zero-grad",),
    )
    yield PARLOUR.wrong(
        "divided-twice",
        (("        loss.backward()\n", "        (loss / group).backward()\n"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield PARLOUR.wrong("clipped-behind-the-step", ((M_CLIP + M_STEP, M_STEP + M_CLIP),), tempts=("clip-after-step",))
    yield PARLOUR.wrong(
        "clipped-with-each-cow",
        (
            (M_CLIP, ""),
            (
                "        pending += 1\n",
                "        nn.utils.clip_grad_value_(net.parameters(), 0.3)\n        pending += 1\n",
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield PARLOUR.wrong("litres-with-graphs", (("loss.detach()", "loss"),), tempts=("loss-graph-leak",))
    yield PARLOUR.wrong(
        "one-cow-too-many", (("if pending == group:", "if pending > group:"),), tempts=("accumulation-off-by-one",)
    )


CHESS = Draft(
    "chess-club",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


def reply(board, move):
    board = board.roll(int(move) + 1)
    return board * 0.9, float(board[0] - board[1])


def main():
    torch.manual_seed(17)
    actor = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3))
    critic = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    opt_a = torch.optim.SGD(actor.parameters(), lr=0.1)
    opt_c = torch.optim.SGD(critic.parameters(), lr=0.1, momentum=0.5)
    history = []
    for game in range(6):
        board = torch.randn(5)
        logs, values, rewards = [], [], []
        for _ in range(4):
            odds = Categorical(logits=actor(board))
            move = odds.sample()
            logs.append(odds.log_prob(move))
            values.append(critic(board))
            board, reward = reply(board, move)
            rewards.append(reward)
        goals = torch.tensor([sum(rewards[n:]) for n in range(4)])
        values = torch.cat(values)
        lead = goals - values.detach()
        opt_a.zero_grad()
        opt_c.zero_grad()
        policy = -(torch.stack(logs) * lead).mean()
        policy.backward()
        value = nn.functional.mse_loss(values, goals)
        value.backward()
        nn.utils.clip_grad_norm_(actor.parameters(), 0.2)
        nn.utils.clip_grad_norm_(critic.parameters(), 0.4)
        opt_a.step()
        opt_c.step()
        history.append(value.item())
    print(f"{sum(history):.5f}")
    return actor, critic
""",
    ("loss-graph-leak", "missing-zero-grad"),
)
C_CLIP_A = "        nn.utils.clip_grad_norm_(actor.parameters(), 0.2)\n"
C_CLIP = "        nn.utils.clip_grad_norm_(critic.parameters(), 0.4)\n"
C_CLEAR = "        opt_c.zero_grad()\n"
C_VALUE = "        value.backward()\n"
C_STEPS = "        opt_a.step()\n        opt_c.step()\n"


def chess() -> Iterator[Case]:
    yield CHESS.right("as-it-should-be")
    yield CHESS.right(
        "what-the-policy-left-is-wiped",
        ("values.detach()", "values"),
        ("policy.backward()", "policy.backward(retain_graph=True)"),
        (C_CLEAR, ""),
        (C_VALUE, C_CLEAR + C_VALUE),
        tempts=("zero-grad-before-step", "zero-grad-in-accumulation"),
    )
    yield CHESS.right(
        "actor-plays-every-other-game",
        ("        opt_a.zero_grad()\n", ""),
        ("        policy.backward()\n", ""),
        (
            C_CLIP_A + C_CLIP + C_STEPS,
            (
                "        if game % 2 == 0:\n            opt_a.zero_grad()\n            policy.backward()\n"
                "            opt_a.step()\n        opt_c.step()\n"
            ),
        ),
        tempts=("accumulation-off-by-one", "missing-zero-grad"),
    )
    yield CHESS.wrong("critic-never-cleared", ((C_CLEAR, ""),))
    yield CHESS.wrong(
        "critic-cleared-behind-its-backward",
        ((C_CLEAR, ""), (C_VALUE, C_VALUE + C_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield CHESS.wrong(
        "critic-clipped-behind-its-step",
        ((C_CLIP, ""), (C_STEPS, C_STEPS + C_CLIP)),
        tempts=("clip-after-step",),
    )
    yield CHESS.wrong(
        "critic-clipped-ahead-of-its-loss",
        ((C_CLIP, ""), (C_VALUE, C_CLIP + C_VALUE)),
        tempts=("clip-before-backward",),
    )
    yield CHESS.wrong("history-of-graphs", (("value.item()", "value"),))


LATHE = Draft(
    "lathe-and-its-double",
    """\
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


def parts(seed):
    gen = torch.Generator().manual_seed(seed)
    while True:
        yield torch.randn(6, 2, generator=gen) * 0.3 + 1


def main():
    torch.manual_seed(23)
    gen = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
    disc = nn.Sequential(nn.Linear(2, 6), nn.LeakyReLU(0.2), nn.Linear(6, 1))
    opt_g = torch.optim.SGD(gen.parameters(), lr=0.1)
    opt_d = torch.optim.SGD(disc.parameters(), lr=0.1)
    sched_d = torch.optim.lr_scheduler.StepLR(opt_d, 2, 0.5)
    for turn, real in zip(range(6), parts(7)):
        z = torch.randn(6, 3)
        opt_d.zero_grad()
        fake = gen(z).detach()
        loss_d = F.softplus(-disc(real)).mean() + F.softplus(disc(fake)).mean()
        loss_d.backward()
        opt_d.step()
        sched_d.step()
        opt_g.zero_grad()
        loss_g = F.softplus(-disc(gen(z))).mean()
        loss_g.backward()
        opt_g.step()
        print(f"{turn}: {loss_d.item():.4f} {loss_g.item():.4f}")
    return gen, disc
""",
    ("missing-zero-grad",),
)
L_CLEAR_D = "        opt_d.zero_grad()\n"
L_CLEAR_G = "        opt_g.zero_grad()\n"
L_STEP_D = "        opt_d.step()\n"


def lathe() -> Iterator[Case]:
    yield LATHE.right("as-it-should-be")
    yield LATHE.right(
        "double-held-still",
        (L_CLEAR_D, ""),
        (L_STEP_D, L_STEP_D + L_CLEAR_D),
        ("        loss_g = F", "        disc.requires_grad_(False)\n        loss_g = F"),
        ("        opt_g.step()\n", "        opt_g.step()\n        disc.requires_grad_(True)\n"),
    )
    yield LATHE.right(
        "weights-are-clamped",
        (
            L_STEP_D,
            L_STEP_D + "        with torch.no_grad():\n"
            "            for p in disc.parameters():\n                p.clamp_(-0.5, 0.5)\n",
        ),
        tempts=("clip-after-step",),
    )
    yield LATHE.wrong("cleared-ahead-of-the-other", ((L_CLEAR_D, ""), (L_STEP_D, L_STEP_D + L_CLEAR_D)))
    yield LATHE.wrong("neither-is-cleared", ((L_CLEAR_D, ""),), ((L_CLEAR_G, ""),))
    yield LATHE.wrong(
        "attached-and-cleared-at-the-head",
        ((L_CLEAR_G, ""), (L_CLEAR_D, L_CLEAR_D + L_CLEAR_G), ("gen(z).detach()", "gen(z)")),
        fine=(((L_CLEAR_G, ""), (L_CLEAR_D, L_CLEAR_D + L_CLEAR_G)),),
    )


def cases() -> Iterator[Case]:
    """Windows with skips, modes, closures, games and adversaries."""
    yield from points()
    yield from ward()
    yield from parlour()
    yield from chess()
    yield from lathe()
