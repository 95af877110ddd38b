"""Storms, rain, wind, fog and radar: a context manager, a resumed run, a critic, a teacher and a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

STORMS = Draft(
    "storms-under-a-context",
    """\
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    members: int = 3
    storms: int = 7
    limit: float = 4.0


@contextmanager
def update(net, opt, plan, cfg):
    opt.zero_grad()
    yield
    nn.utils.clip_grad_norm_(net.parameters(), cfg.limit)
    opt.step()
    plan.step()


def main():
    cfg = Config()
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, total_steps=cfg.storms + 1)
    for storm in range(cfg.storms):
        track = torch.randn(5, 4)
        spread = []
        with update(net, opt, plan, cfg):
            for member in range(cfg.members):
                seen = track + 0.1 * torch.randn(5, 4)
                loss = nn.functional.mse_loss(net(seen), track.norm(dim=1, keepdim=True))
                (loss / cfg.members).backward()
                spread.append(loss.item())
        print(f"{storm} {sum(spread) / len(spread):.4f} {plan.get_last_lr()[0]:.4f}")
    return net
""",
    ("clip-before-backward", "unscaled-accumulation-loss"),
)

S_CLEAR = "    opt.zero_grad()\n"
S_CLIP = "    nn.utils.clip_grad_norm_(net.parameters(), cfg.limit)\n"
S_STEP = "    opt.step()\n"
S_PLAN = "    plan.step()\n"
S_BACK = "                (loss / cfg.members).backward()\n"
S_SUM = ("(loss / cfg.members).backward()", "loss.backward()")


def storms() -> Iterator[Case]:
    yield STORMS.right("as-it-is")
    yield STORMS.right("members-sum-their-squares", S_SUM, ("keepdim=True))", 'keepdim=True), reduction="sum")'))
    yield STORMS.right(
        "members-of-unequal-weight", ("(loss / cfg.members).backward()", "(loss * (0.5, 0.3, 0.2)[member]).backward()")
    )
    yield STORMS.right("spread-of-one-storm", ("spread.append(loss.item())", "spread.append(loss)"))
    yield STORMS.wrong(
        "clip-as-the-context-opens", ((S_CLIP, ""), (S_CLEAR, S_CLEAR + S_CLIP)), tempts=("clip-before-backward",)
    )
    yield STORMS.wrong("plan-then-step", ((S_STEP + S_PLAN, S_PLAN + S_STEP),), tempts=("scheduler-before-optimizer",))
    yield STORMS.wrong(
        "plan-moves-with-each-member",
        ((S_STEP + S_PLAN, S_STEP), (S_BACK, S_BACK + "                plan.step()\n")),
        tempts=("scheduler-per-micro-batch",),
        raises="ValueError",
    )
    yield STORMS.wrong("sum-of-members", (S_SUM,), tempts=("unscaled-accumulation-loss",))
    yield STORMS.wrong(
        "cleared-as-the-context-closes",
        ((S_CLEAR + "    yield\n", "    yield\n"), (S_CLIP + S_STEP, S_CLIP + S_CLEAR + S_STEP)),
        tempts=("zero-grad-before-step",),
    )
    yield STORMS.wrong(
        "divided-by-the-storms",
        (("loss / cfg.members", "loss / cfg.storms"),),
        tempts=("accumulation-divisor-mismatch",),
    )


RAIN = Draft(
    "rain-that-is-resumed",
    """\
import argparse
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def options(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int, default=6)
    parser.add_argument("--accum", type=int, default=2)
    return parser.parse_args(words)


def rain(start, stop):
    for hour in range(start, stop):
        echo = torch.rand(6, 3, generator=torch.Generator().manual_seed(hour))
        yield hour, echo, 5 * echo.prod(1, keepdim=True)


def train(args, state=()):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.03)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda updates: min(1.0, (updates + 1) / 4))
    for thing, kept in zip((net, opt, warm), state):
        thing.load_state_dict(kept)
    for hour, echo, depth in rain(args.start, args.stop):
        loss = nn.functional.huber_loss(net(echo), depth) / args.accum
        loss.backward()
        print(f"{hour} {loss.item() * args.accum:.4f}")
        if (hour + 1) % args.accum == 0:
            opt.step()
            warm.step()
            opt.zero_grad()
    return net, opt, warm


def main():
    first = train(options([]))
    state = [copy.deepcopy(thing.state_dict()) for thing in first]
    return first[0], train(options(["--start", "6", "--stop", "10"]), state)[0]
""",
    ("accumulation-off-by-one", "scheduler-before-optimizer"),
)

N_WARM = "            warm.step()\n"
N_STEP = "            opt.step()\n"
N_CLEAR = "            opt.zero_grad()\n"
N_GUARD = "(hour + 1) % args.accum == 0"
N_SUM = (
    ("depth) / args.accum\n", "depth)\n"),
    ("{loss.item() * args.accum:.4f}", "{loss.item():.4f}"),
)
N_LOAD = "    for thing, kept in zip((net, opt, warm), state):\n        thing.load_state_dict(kept)\n"


def rain() -> Iterator[Case]:
    yield RAIN.right("as-it-is")
    yield RAIN.right(
        "hours-from-one",
        ("in range(start, stop)", "in range(start + 1, stop + 1)"),
        (N_GUARD, "hour % args.accum == 0"),
    )
    yield RAIN.right(
        "stopped-within-a-window",
        ("default=6)", "default=5)"),
        ('"--start", "6"', '"--start", "5"'),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail"),
    )
    yield RAIN.right(
        "schedule-is-wound-forward",
        (
            N_LOAD,
            N_LOAD.replace("(net, opt, warm)", "(net, opt)")
            + "    for _ in range(args.start // args.accum):\n        warm.step()\n",
        ),
    )
    yield RAIN.wrong("first-hour-alone", ((N_GUARD, "hour % args.accum == 0"),))
    yield RAIN.wrong(
        "warmed-by-the-hour",
        ((N_WARM, ""), (N_CLEAR, N_CLEAR + "        warm.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield RAIN.wrong(
        "cleared-by-the-hour",
        ((N_CLEAR, ""), ("        loss.backward()\n", "        opt.zero_grad()\n        loss.backward()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield RAIN.wrong("sum-that-is-printed", N_SUM, tempts=("unscaled-accumulation-loss",))
    yield RAIN.wrong(
        "divided-where-it-is-divided",
        (("loss.backward()", "(loss / args.accum).backward()"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield RAIN.wrong("warmed-first", ((N_STEP + N_WARM, N_WARM + N_STEP),))


WIND = Draft(
    "wind-with-a-critic",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def penalty(critic, real, fake):
    mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (slope.norm(2, dim=1) - 1).square().mean()


def play(gen, critic, opt_g, opt_c, winds, turns=2, parts=2):
    for n, real in enumerate(winds, 1):
        opt_c.zero_grad()
        for share in real.chunk(parts):
            with torch.no_grad():
                fake = gen(torch.randn(len(share), 2))
            loss = critic(fake).mean() - critic(share).mean() + 3 * penalty(critic, share, fake)
            (loss / parts).backward()
        nn.utils.clip_grad_norm_(critic.parameters(), 0.6)
        opt_c.step()
        if n % turns == 0:
            opt_g.zero_grad()
            loss_g = -critic(gen(torch.randn(6, 2))).mean()
            loss_g.backward()
            opt_g.step()
            yield loss_g.item()


def main():
    torch.manual_seed(14)
    gen = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 3))
    critic = nn.Sequential(nn.Linear(3, 6), nn.Softplus(), nn.Linear(6, 1))
    opts = [torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5) for net in (gen, critic)]
    losses = [loss for loss in play(gen, critic, *opts, torch.randn(8, 6, 3) + 2)]
    print(*(f"{loss:.4f}" for loss in losses))
    return gen, critic
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

W_CLEAR = "        opt_c.zero_grad()\n"
W_CLIP = "        nn.utils.clip_grad_norm_(critic.parameters(), 0.6)\n"
W_STEP = "        opt_c.step()\n"
W_GEN = "            loss_g = -critic(gen(torch.randn(6, 2))).mean()\n"
W_STEP_G = "            opt_g.step()\n"
W_BEHIND = ((W_CLEAR, ""), (W_STEP, W_STEP + W_CLEAR))


def wind() -> Iterator[Case]:
    yield WIND.right("as-it-is")
    yield WIND.right(
        "cleared-behind-and-held-still",
        *W_BEHIND,
        (W_GEN, "            critic.requires_grad_(False)\n" + W_GEN),
        (W_STEP_G, W_STEP_G + "            critic.requires_grad_(True)\n"),
    )
    yield WIND.right(
        "everything-is-cleared-last",
        (W_CLEAR, ""),
        ("            opt_g.zero_grad()\n", ""),
        (
            "            yield loss_g.item()\n",
            "            yield loss_g.item()\n        critic.zero_grad()\n        gen.zero_grad()\n",
        ),
    )
    yield WIND.wrong("cleared-behind", W_BEHIND, tempts=("missing-zero-grad",))
    yield WIND.wrong(
        "cleared-with-the-generator",
        ((W_CLEAR, ""), (W_STEP_G, W_STEP_G + "            opt_c.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )
    yield WIND.wrong(
        "cleared-with-each-share",
        ((W_CLEAR, ""), ("            with torch.no", "            opt_c.zero_grad()\n            with torch.no")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield WIND.wrong("generator-adds-up", (("            opt_g.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield WIND.wrong(
        "losses-with-their-graphs", (("yield loss_g.item()", "yield loss_g"),), tempts=("loss-graph-leak",)
    )
    yield WIND.wrong(
        "clip-behind-and-sum-of-shares",
        ((W_CLIP + W_STEP, W_STEP + W_CLIP),),
        (("(loss / parts).backward()", "loss.backward()"),),
        tempts=("clip-after-step", "unscaled-accumulation-loss"),
    )


FOG = Draft(
    "fog-with-a-teacher",
    """\
import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Fog(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6))
        self.head = nn.Sequential(nn.ReLU(), nn.Dropout(0.3), nn.Linear(6, 2))

    def forward(self, x):
        return self.head(self.stem(x))


def stream(seed, left=5):
    gen = torch.Generator().manual_seed(seed)

    def draw():
        nonlocal left
        left -= 1
        return torch.randn(8, 4, generator=gen) if left >= 0 else None

    return draw


def main():
    torch.manual_seed(16)
    student = Fog()
    teacher = copy.deepcopy(student).requires_grad_(False).eval()
    student.stem.requires_grad_(False)
    trained = [p for p in student.parameters() if p.requires_grad]
    opt = torch.optim.SGD(trained, lr=0.5)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=3)
    held = torch.randn(9, 4)
    for season in range(3):
        student.train()
        student.stem.eval()
        draw = stream(season)
        while (x := draw()) is not None:
            goal = F.softmax(3 * teacher(x), 1)
            opt.zero_grad()
            F.kl_div(F.log_softmax(student(x), 1), goal, reduction="batchmean").backward()
            nn.utils.clip_grad_norm_(trained, 0.05)
            opt.step()
            for slow, fast in zip(teacher.parameters(), student.parameters()):
                slow.lerp_(fast.detach(), 0.1)
        plan.step()
        student.eval()
        with torch.no_grad():
            print(f"{(student(held) - teacher(held)).square().mean():.5f}")
    return student, teacher
""",
    ("missing-train-mode", "clip-exhausted-parameters"),
)

G_MODE = "        student.train()\n        student.stem.eval()\n"
G_SEASON = "    for season in range(3):\n"
G_WAKE = G_SEASON + "        student.head.train()\n"
G_CLEAR = "            opt.zero_grad()\n"
G_CLIP = "            nn.utils.clip_grad_norm_(trained, 0.05)\n"
G_STEP = "            opt.step()\n"
G_PLAN = "        plan.step()\n"
G_LIST = "[p for p in student.parameters() if p.requires_grad]"
G_FILTER = "filter(lambda p: p.requires_grad, student.parameters())"
THAW = FOG.styled(
    (
        G_MODE,
        G_MODE + "        if season == 1:\n            student.stem.requires_grad_(True)\n"
        '            opt.add_param_group({"params": list(student.stem.parameters()), "lr": 0.1})\n',
    ),
    ("    plan = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=3)\n", ""),
    (G_PLAN, ""),
    ("clip_grad_norm_(trained, 0.05)", "clip_grad_norm_([p for p in student.parameters() if p.requires_grad], 0.05)"),
)


def fog() -> Iterator[Case]:
    yield FOG.right("as-it-is")
    yield FOG.right("only-the-head-is-woken", (G_SEASON + G_MODE, "    student.stem.eval()\n" + G_WAKE))
    yield FOG.right("student-sleeps-throughout", (G_MODE, ""), (G_SEASON, "    student.eval()\n" + G_SEASON))
    yield FOG.right("walked-anew-for-each-clip", ("clip_grad_norm_(trained,", f"clip_grad_norm_({G_FILTER},"))
    yield FOG.wrong("walked-by-the-optimizer", ((G_LIST, G_FILTER),), tempts=("clip-exhausted-parameters",))
    yield THAW.wrong(
        "walked-and-thawed",
        (
            ("    trained = " + G_LIST, "    trained = " + G_FILTER),
            ("clip_grad_norm_([p for p in student.parameters() if p.requires_grad],", "clip_grad_norm_(trained,"),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield FOG.wrong(
        "woken-in-part-and-once",
        ((G_SEASON + G_MODE, G_MODE.replace("        ", "    ") + G_SEASON),),
        fine=(((G_SEASON + G_MODE, G_MODE.replace("        ", "    ") + G_WAKE),),),
        tempts=("missing-train-mode",),
    )
    yield FOG.wrong(
        "cleared-ahead-of-the-clip", ((G_CLEAR, ""), (G_CLIP, G_CLEAR + G_CLIP)), tempts=("zero-grad-before-step",)
    )
    yield FOG.wrong(
        "plan-opens-the-season", ((G_PLAN, ""), (G_SEASON, G_SEASON + G_PLAN)), tempts=("scheduler-before-optimizer",)
    )


RADAR = Draft(
    "radar-in-a-notebook",
    """\
# %%
import torch
from torch import nn

torch.manual_seed(3)
sweeps = [(x, x.sum(1, keepdim=True).cos()) for x in torch.randn(7, 6, 5)]
WINDOW = 2

# %%
net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
mixer = torch.eye(8) + 0.2 * torch.rand(8, 8)
net[0].weight.register_hook(lambda grad: (mixer @ grad).to(grad.dtype))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
history = []

# %%
for lap in range(2):
    for i in range(len(sweeps)):
        x, y = sweeps[i]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(net(x).float(), y)
        (loss / WINDOW).backward()
        history.append(loss.item())
        if (i + 1) % WINDOW == 0 or i + 1 == len(sweeps):
            opt.step()
            opt.zero_grad()

# %%
print(*(f"{loss:.3f}" for loss in history))


def main():
    return net
""",
    ("backward-in-autocast", "accumulation-off-by-one"),
)

D_LOSS = "            loss = nn.functional.mse_loss(net(x).float(), y)\n"
D_BACK = "        (loss / WINDOW).backward()\n"
D_KEEP = "        history.append(loss.item())\n"
D_INSIDE = (D_LOSS + D_BACK, D_LOSS + "    " + D_BACK)
D_CAST = '        with torch.autocast("cpu", dtype=torch.bfloat16):\n'
D_LOOK = '            with torch.no_grad():\n                print(f"{net(sweeps[0][0]).float().mean():.3f}")\n'
SCALED = RADAR.styled(
    ("history = []\n", 'history = []\nscaler = torch.amp.GradScaler("cpu", init_scale=256.0, enabled=False)\n'),
    (D_BACK, "        scaler.scale(loss / WINDOW).backward()\n"),
    ("            opt.step()\n", "            scaler.step(opt)\n            scaler.update()\n"),
)


def radar() -> Iterator[Case]:
    yield RADAR.right("as-it-is")
    yield RADAR.right(
        "cast-is-off-for-the-backward",
        (
            D_LOSS + D_BACK,
            D_LOSS
            + '            with torch.autocast("cpu", enabled=False):\n                (loss / WINDOW).backward()\n',
        ),
    )
    yield RADAR.right(
        "sweeps-from-one",
        ("range(len(sweeps))", "range(1, len(sweeps) + 1)"),
        ("= sweeps[i]", "= sweeps[i - 1]"),
        ("(i + 1) % WINDOW == 0 or i + 1 == len", "i % WINDOW == 0 or i == len"),
    )
    yield RADAR.wrong("backward-under-the-cast", (D_INSIDE,))
    yield RADAR.styled((D_BACK, D_BACK + D_CAST + D_LOOK)).wrong(
        "backward-and-a-look-under-the-cast",
        ((D_BACK + D_CAST + D_LOOK, "    " + D_BACK + D_LOOK),),
        tempts=("backward-in-autocast", "validation-without-no-grad"),
    )
    yield SCALED.wrong("scaler-for-bfloat16", ((", enabled=False", ""),), tempts=("scaler-with-bfloat16",))
    yield RADAR.wrong("first-sweep-alone", (("(i + 1) % WINDOW", "i % WINDOW"),))
    yield RADAR.wrong(
        "history-of-graphs", (("history.append(loss.item())", "history.append(loss)"),), tempts=("loss-graph-leak",)
    )
    yield RADAR.wrong(
        "tail-leaks-into-the-next-lap", ((" or i + 1 == len(sweeps)", ""),), tempts=("dropped-accumulation-tail",)
    )


def cases() -> Iterator[Case]:
    yield from storms()
    yield from rain()
    yield from wind()
    yield from fog()
    yield from radar()
