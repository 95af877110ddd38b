"""Orchards: a cider house, blossom counts, pollinators, sapling twins, frost nights, hedges on two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CIDER = Draft(
    "cider-house",
    """\
import argparse
import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser(description="Guess the sugar of a must.")
    parser.add_argument("--gradient_accumulation_steps", type=int, default=3)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--num_warmup_steps", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=0.3)
    parser.add_argument("--max_grad_norm", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=307)
    return parser.parse_args()


class Taster(nn.Module):
    def __init__(self):
        super().__init__()
        self.nose = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Dropout(0.2))
        self.palate = nn.Linear(6, 1)

    def forward(self, must, sugar):
        return nn.functional.mse_loss(self.palate(self.nose(must)), sugar)


def evaluate(accelerator, model, loader):
    model.eval()
    losses = []
    for must, sugar in loader:
        with torch.no_grad():
            loss = model(must, sugar)
        losses.append(accelerator.gather_for_metrics(loss.repeat(len(must))))
    return torch.cat(losses).mean().item()


def main():
    args = parse_args()
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.gradient_accumulation_steps)
    set_seed(args.seed)
    train_set = TensorDataset(torch.randn(32, 4), torch.randn(32, 1))
    eval_set = TensorDataset(torch.randn(8, 4), torch.randn(8, 1))
    train_loader = DataLoader(train_set, batch_size=4, shuffle=True)
    eval_loader = DataLoader(eval_set, batch_size=4)
    model = Taster()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.learning_rate, momentum=0.5)
    updates_per_epoch = math.ceil(len(train_loader) / args.gradient_accumulation_steps)
    total_steps = args.num_train_epochs * updates_per_epoch
    warmup_steps = args.num_warmup_steps

    def factor(step):
        return min((step + 1) / (warmup_steps + 1), max(0.0, (total_steps - step) / total_steps))

    scheduler = LambdaLR(optimizer, factor)
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )
    completed_steps, total_loss, norms = 0, 0.0, []
    for epoch in range(args.num_train_epochs):
        model.train()
        for must, sugar in train_loader:
            with accelerator.accumulate(model):
                loss = model(must, sugar)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    norm = accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            total_loss += loss.item()
            if accelerator.sync_gradients:
                completed_steps += 1
                norms.append(norm.item())
                if completed_steps % 4 == 0:
                    accelerator.print(completed_steps, f"{evaluate(accelerator, model, eval_loader):.6f}")
                    model.train()
        accelerator.print(epoch, f"{total_loss / len(train_loader):.6f} {scheduler.get_last_lr()[0]:.6f}")
        total_loss = 0.0
    accelerator.print(f"largest norm {max(norms):.6f}")
    return accelerator.unwrap_model(model)
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch", "scheduler-per-micro-batch"),
)

CIDER_PREPARE = """\
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )
"""
CIDER_WITH = "            with accelerator.accumulate(model):\n"
CIDER_FORWARD = "                loss = model(must, sugar)\n"
CIDER_BACK = "                accelerator.backward(loss)\n"
CIDER_CLIP = """\
                if accelerator.sync_gradients:
                    norm = accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
"""
CIDER_EACH_CLIP = "                norm = accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)\n"
CIDER_SCHED = "                scheduler.step()\n"
CIDER_CLEAR = "                optimizer.zero_grad()\n"
CIDER_TOTAL = "            total_loss += loss.item()\n"
CIDER_COUNT = "                completed_steps += 1\n"
CIDER_NORMS = "                norms.append(norm.item())\n"
CIDER_WAKE = "                    model.train()\n"
CIDER_TOLD = "{total_loss / len(train_loader):.6f}"
CIDER_RESET = "        total_loss = 0.0\n"


def cider() -> Iterator[Case]:
    unprepared = (
        CIDER_PREPARE,
        """\
    model, optimizer, train_loader, eval_loader = accelerator.prepare(model, optimizer, train_loader, eval_loader)
""",
    )
    by_hand = CIDER.styled(
        unprepared, (CIDER_SCHED, ""), (CIDER_COUNT, CIDER_COUNT + "                scheduler.step()\n")
    )
    listed = CIDER.styled(
        ("completed_steps, total_loss, norms = 0, 0.0, []", "completed_steps, losses, norms = 0, [], []"),
        (CIDER_TOTAL, "            losses.append(loss.detach())\n"),
        (CIDER_TOLD, "{torch.stack(losses).mean().item():.6f}"),
        (CIDER_RESET, ""),
    )
    yield CIDER.wrong(
        "clipped-with-every-crate",  # the norm is read where the gate is open
        ((CIDER_CLIP, CIDER_EACH_CLIP),),
        tempts=("clip-per-micro-batch",),
    )
    yield CIDER.left(
        "norm-of-every-crate-is-read",  # behind a gate the name would not be bound
        ((CIDER_CLIP, CIDER_EACH_CLIP), (CIDER_NORMS, ""), (CIDER_TOTAL, CIDER_TOTAL + CIDER_NORMS[4:])),
        fine=(
            (
                (
                    CIDER_CLIP,
                    '                norm = accelerator.clip_grad_norm_(model.parameters(), float("inf"))\n'
                    + CIDER_CLIP.replace("norm = ", ""),
                ),
                (CIDER_NORMS, ""),
                (CIDER_TOTAL, CIDER_TOTAL + CIDER_NORMS[4:]),
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield CIDER.wrong(
        "divided-by-both-and-undone-for-the-log",
        (
            (CIDER_FORWARD, "                loss = model(must, sugar) / args.gradient_accumulation_steps\n"),
            (CIDER_TOTAL, "            total_loss += loss.item() * args.gradient_accumulation_steps\n"),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield by_hand.wrong(
        "scheduler-that-nobody-prepared-moves-with-each-crate",
        (
            (CIDER_COUNT + "                scheduler.step()\n", CIDER_COUNT),
            (CIDER_TOTAL, CIDER_TOTAL + CIDER_SCHED[4:]),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield CIDER.wrong(
        "asleep-from-a-tasting-to-the-end-of-the-epoch",
        ((CIDER_WAKE, ""),),
        tempts=("missing-train-mode",),
    )
    yield listed.wrong(
        "list-of-losses-keeps-the-graphs",
        (("losses.append(loss.detach())", "losses.append(loss)"),),
        tempts=("loss-graph-leak",),
    )
    yield CIDER.right(
        "cleared-in-front-of-the-block",  # the gate still stands as the last crate left it
        (CIDER_CLEAR, ""),
        (CIDER_WITH, "            optimizer.zero_grad()\n" + CIDER_WITH),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield CIDER.right(
        "prepared-scheduler-behind-the-block",  # what was prepared asks the gate by itself
        (CIDER_SCHED, ""),
        (CIDER_TOTAL, CIDER_TOTAL + CIDER_SCHED[4:]),
        tempts=("scheduler-per-micro-batch",),
    )
    yield CIDER.right(
        "schedule-is-laid-out-in-crates",
        unprepared,
        (
            "    total_steps = args.num_train_epochs * updates_per_epoch\n    warmup_steps = args.num_warmup_steps\n",
            (
                "    total_steps = args.num_train_epochs * len(train_loader)\n"
                "    warmup_steps = args.num_warmup_steps * args.gradient_accumulation_steps\n"
            ),
        ),
        ("    updates_per_epoch = math.ceil(len(train_loader) / args.gradient_accumulation_steps)\n", ""),
        ("import argparse\nimport math\n", "import argparse\n"),
        (CIDER_SCHED, ""),
        (CIDER_TOTAL, CIDER_TOTAL + CIDER_SCHED[4:]),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield CIDER.right(
        "crates-are-pressed-together",  # their losses wait with their graphs; the accelerator divides the sum
        (
            "completed_steps, total_loss, norms = 0, 0.0, []",
            "completed_steps, total_loss, norms, waiting = 0, 0.0, [], []",
        ),
        (
            CIDER_BACK + CIDER_CLIP,
            """\
                waiting.append(loss)
                if accelerator.sync_gradients:
                    accelerator.backward(torch.stack(waiting).sum())
                    waiting.clear()
                    norm = accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
""",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )


BLOSSOMS = Draft(
    "blossom-notebook",
    """\
# %% [markdown]
# # Blossoms per branch
# Exported from `blossoms.ipynb`.

# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
torch.manual_seed(311)

# %% settings
ACCUM = 4
MAX_STEPS = 8
EVAL_EVERY = 3
LR = 0.4
MAX_NORM = 0.2

# %% data
branches, counts = torch.randn(56, 3), torch.randn(56, 1)
train_set = TensorDataset(branches[:48], counts[:48])
train_loader = DataLoader(train_set, batch_size=4, shuffle=True)
x_valid, y_valid = branches[48:], counts[48:]

# %% model
model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(0.2), nn.Linear(6, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.5)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=MAX_STEPS)
scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=3)

# %% train
history = []
batches = iter(train_loader)
step = 0
model.train()
optimizer.zero_grad()
while step < MAX_STEPS:
    micro, window_loss = 0, 0.0
    while micro < ACCUM:
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(train_loader)
            x, y = next(batches)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss / ACCUM).backward()
        window_loss += loss.item() / ACCUM
        micro += 1
    scaler.unscale_(optimizer)
    grad_norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    scheduler.step()
    step += 1
    history.append(window_loss)
    print(f"step {step} loss {window_loss:.6f} norm {grad_norm:.6f} lr {scheduler.get_last_lr()[0]:.6f}")
    if step % EVAL_EVERY == 0:
        model.eval()
        with torch.no_grad():
            print(f"valid {criterion(model(x_valid), y_valid):.6f}")
        model.train()

# %% plot
print(f"best {min(history):.6f} scale {scaler.get_scale():.0f}")


def main():
    return model
""",
    ("clip-scaled-gradients", "unscaled-accumulation-loss", "missing-zero-grad"),
)

BLOSSOM_DATA = "train_set = TensorDataset(branches[:48], counts[:48])\n"
BLOSSOM_BROKEN = (
    BLOSSOM_DATA,
    'counts[9, 0] = float("inf")  # the counter ran over\n' + BLOSSOM_DATA,
)
BLOSSOM_WINDOW = "    micro, window_loss = 0, 0.0\n"
BLOSSOM_BACK = "        scaler.scale(loss / ACCUM).backward()\n"
BLOSSOM_TOLD = "        window_loss += loss.item() / ACCUM\n"
BLOSSOM_MICRO = "        micro += 1\n"
BLOSSOM_UNSCALE = "    scaler.unscale_(optimizer)\n"
BLOSSOM_CLIP = "    grad_norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)\n"
BLOSSOM_STEP = "    scaler.step(optimizer)\n"
BLOSSOM_UPDATE = "    scaler.update()\n"
BLOSSOM_CLEAR = "    optimizer.zero_grad()\n    scheduler.step()\n"
BLOSSOM_SCHED = "    scheduler.step()\n"
BLOSSOM_EVAL = "    if step % EVAL_EVERY == 0:\n"
BLOSSOM_LOOPS = """\
while step < MAX_STEPS:
    micro, window_loss = 0, 0.0
    while micro < ACCUM:
"""
BLOSSOM_CLOSE = """\
        micro += 1
    scaler.unscale_(optimizer)
    grad_norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    scheduler.step()
    step += 1
    history.append(window_loss)
    print(f"step {step} loss {window_loss:.6f} norm {grad_norm:.6f} lr {scheduler.get_last_lr()[0]:.6f}")
    if step % EVAL_EVERY == 0:
        model.eval()
        with torch.no_grad():
            print(f"valid {criterion(model(x_valid), y_valid):.6f}")
        model.train()
"""


def blossoms() -> Iterator[Case]:
    guarded = BLOSSOMS.styled(
        BLOSSOM_BROKEN,
        (
            BLOSSOM_STEP,
            "    if torch.isfinite(grad_norm):\n        scaler.step(optimizer)\n",
        ),
        ("best {min(history):.6f} scale", "scale"),
    )
    ridged = BLOSSOMS.styled(
        (
            BLOSSOM_UNSCALE,
            "    ridge = 0.02 * sum(p.square().sum() for p in model.parameters())\n"
            "    scaler.scale(ridge).backward()\n" + BLOSSOM_UNSCALE,
        ),
    )
    yield guarded.wrong(
        "update-waits-for-a-finite-norm",
        ((BLOSSOM_UPDATE, "    " + BLOSSOM_UPDATE),),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield BLOSSOMS.wrong(
        "unscaled-behind-the-clip",  # one more `unscale_` in front would be the second
        ((BLOSSOM_UNSCALE + BLOSSOM_CLIP, BLOSSOM_CLIP + BLOSSOM_UNSCALE),),
        tempts=("clip-scaled-gradients", "double-unscale"),
    )
    yield ridged.wrong(
        "ridge-goes-past-the-scaler",
        (("    scaler.scale(ridge).backward()\n", "    ridge.backward()\n"),),
        tempts=("unscaled-backward",),
    )
    yield BLOSSOMS.wrong(
        "one-batch-more-than-the-window",
        (("    while micro < ACCUM:\n", "    while micro <= ACCUM:\n"),),
        tempts=("accumulation-off-by-one", "accumulation-divisor-mismatch"),
    )
    yield BLOSSOMS.wrong(
        "cleared-only-where-it-is-validated",
        ((BLOSSOM_CLEAR, BLOSSOM_SCHED), (BLOSSOM_EVAL, BLOSSOM_EVAL + "        optimizer.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )
    yield BLOSSOMS.right(
        "broken-counts-do-not-count",  # every window has four that are whole
        BLOSSOM_BROKEN,
        (BLOSSOM_BACK, "        if not torch.isfinite(loss):\n            continue\n" + BLOSSOM_BACK),
        tempts=("accumulation-off-by-one", "missing-zero-grad"),
    )
    yield BLOSSOMS.right(
        "shared-out-among-those-that-were-whole",
        BLOSSOM_BROKEN,
        (BLOSSOM_WINDOW, "    micro, whole, window_loss = 0, 0, 0.0\n"),
        (
            BLOSSOM_BACK + BLOSSOM_TOLD + BLOSSOM_MICRO,
            """\
        micro += 1
        if not torch.isfinite(loss):
            continue
        scaler.scale(loss).backward()
        window_loss += loss.item()
        whole += 1
""",
        ),
        (
            BLOSSOM_UNSCALE,
            BLOSSOM_UNSCALE + "    for p in model.parameters():\n        p.grad /= whole\n    window_loss /= whole\n",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BLOSSOMS.right(
        "window-closes-at-the-head-of-the-next-batch",
        (
            BLOSSOM_LOOPS,
            """\
micro, window_loss = 0, 0.0
while True:
    if micro > 0 and micro % ACCUM == 0:
        scaler.unscale_(optimizer)
        grad_norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scheduler.step()
        step += 1
        history.append(window_loss)
        print(f"step {step} loss {window_loss:.6f} norm {grad_norm:.6f} lr {scheduler.get_last_lr()[0]:.6f}")
        window_loss = 0.0
        if step % EVAL_EVERY == 0:
            model.eval()
            with torch.no_grad():
                print(f"valid {criterion(model(x_valid), y_valid):.6f}")
            model.train()
        if step == MAX_STEPS:
            break
""",
        ),
        (
            """\
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(train_loader)
            x, y = next(batches)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss / ACCUM).backward()
        window_loss += loss.item() / ACCUM
"""
            + BLOSSOM_CLOSE,
            """\
    try:
        x, y = next(batches)
    except StopIteration:
        batches = iter(train_loader)
        x, y = next(batches)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = criterion(model(x), y)
    scaler.scale(loss / ACCUM).backward()
    window_loss += loss.item() / ACCUM
    micro += 1
""",
        ),
        tempts=("accumulation-off-by-one", "clip-before-backward", "scheduler-before-optimizer"),
    )
    yield BLOSSOMS.right(
        "rate-carries-the-share-of-a-batch",  # plain SGD, nothing clipped: the sum at a quarter of the rate
        ("SGD(model.parameters(), lr=LR,", "SGD(model.parameters(), lr=LR / ACCUM,"),
        (BLOSSOM_BACK, "        scaler.scale(loss).backward()\n"),
        (BLOSSOM_UNSCALE + BLOSSOM_CLIP, ""),
        (" norm {grad_norm:.6f} lr", " lr"),
        ("MAX_NORM = 0.2\n", ""),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BLOSSOMS.right(
        "cosine-is-laid-out-in-batches",
        ("T_max=MAX_STEPS)", "T_max=MAX_STEPS * ACCUM)"),
        (BLOSSOM_CLEAR, "    optimizer.zero_grad()\n"),
        (BLOSSOM_MICRO, "        scheduler.step()\n" + BLOSSOM_MICRO),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )


POLLEN = Draft(
    "pollinators",
    """\
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    epochs: int = 3
    accum: int = 2
    critic_updates: int = 2
    penalty: float = 4.0
    lr_gen: float = 0.3
    lr_critic: float = 0.2
    max_norm: float = 0.4


class Pollinators:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = nn.Sequential(nn.Linear(3, 6), nn.LeakyReLU(0.2), nn.Linear(6, 2))
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Dropout(0.2), nn.Linear(8, 1))
        self.opt_g = torch.optim.SGD(self.gen.parameters(), lr=cfg.lr_gen, momentum=0.3)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=cfg.lr_critic, momentum=0.3)
        self.sched_g = torch.optim.lr_scheduler.ExponentialLR(self.opt_g, 0.8)
        self.sched_c = torch.optim.lr_scheduler.ExponentialLR(self.opt_c, 0.7)
        self.losses = []

    def slope(self, real, fake):
        mix = torch.lerp(fake, real, torch.rand(len(real), 1)).requires_grad_()
        (pull,) = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return (pull.norm(dim=1) - 1).square().mean()

    def critic_update(self, reals):
        self.opt_c.zero_grad()
        for real in reals:
            with torch.no_grad():
                fake = self.gen(torch.randn(4, 3))
            loss = self.critic(fake).mean() - self.critic(real).mean()
            loss = loss + self.cfg.penalty * self.slope(real, fake)
            (loss / len(reals)).backward()
            self.losses.append(loss.item())
        nn.utils.clip_grad_norm_(self.critic.parameters(), self.cfg.max_norm)
        self.opt_c.step()

    def gen_update(self):
        self.opt_g.zero_grad()
        for _ in range(self.cfg.accum):
            loss = -self.critic(self.gen(torch.randn(4, 3))).mean()
            (loss / self.cfg.accum).backward()
        self.opt_g.step()

    def score(self, held):
        self.critic.eval()
        total = 0.0
        with torch.no_grad():
            for real in held:
                total += self.critic(real).mean().item()
        self.critic.train()
        return total / len(held)

    def fit(self, flowers, held):
        for epoch in range(self.cfg.epochs):
            for turn, start in enumerate(range(0, len(flowers), self.cfg.accum), 1):
                self.critic_update(flowers[start : start + self.cfg.accum])
                if turn % self.cfg.critic_updates == 0:
                    self.gen_update()
            self.sched_c.step()
            self.sched_g.step()
            print(epoch, f"{self.score(held):.6f}")
        print(f"{sum(self.losses) / len(self.losses):.6f}")


def main():
    torch.manual_seed(313)
    gan = Pollinators(Config())
    flowers = [torch.randn(4, 2) * 0.5 + torch.tensor([1.0, -0.5]) for _ in range(9)]
    gan.fit(flowers[:7], flowers[7:])
    return gan.gen, gan.critic
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

POLLEN_CRITIC = "    def critic_update(self, reals):\n"
POLLEN_CLEAR = "        self.opt_c.zero_grad()\n"
POLLEN_EACH = "        for real in reals:\n"
POLLEN_FAKE = """\
            with torch.no_grad():
                fake = self.gen(torch.randn(4, 3))
"""
POLLEN_PENALTY = "            loss = loss + self.cfg.penalty * self.slope(real, fake)\n"
POLLEN_BACK = "            (loss / len(reals)).backward()\n"
POLLEN_LOSSES = "            self.losses.append(loss.item())\n"
POLLEN_CLIP = "        nn.utils.clip_grad_norm_(self.critic.parameters(), self.cfg.max_norm)\n"
POLLEN_STEP = "        self.opt_c.step()\n"
POLLEN_GEN = "    def gen_update(self):\n"
POLLEN_GEN_STEP = "        self.opt_g.step()\n"
POLLEN_EPOCH = "        for epoch in range(self.cfg.epochs):\n"
POLLEN_TURN = """\
                self.critic_update(flowers[start : start + self.cfg.accum])
                if turn % self.cfg.critic_updates == 0:
                    self.gen_update()
"""
POLLEN_SCHEDS = "            self.sched_c.step()\n            self.sched_g.step()\n"
POLLEN_LOOK = """\
        with torch.no_grad():
            for real in held:
                total += self.critic(real).mean().item()
"""
POLLEN_GEN_BODY = """\
    def gen_update(self):
        self.opt_g.zero_grad()
        for _ in range(self.cfg.accum):
            loss = -self.critic(self.gen(torch.randn(4, 3))).mean()
            (loss / self.cfg.accum).backward()
        self.opt_g.step()

"""


def pollen() -> Iterator[Case]:
    bare = POLLEN.styled((POLLEN_CLIP, ""), ("    max_norm: float = 0.4\n", ""))
    frozen = (
        (POLLEN_GEN, POLLEN_GEN + "        self.critic.requires_grad_(False)\n"),
        (POLLEN_GEN_STEP, POLLEN_GEN_STEP + "        self.critic.requires_grad_(True)\n"),
    )
    yield bare.wrong(
        "flowers-are-summed",
        ((POLLEN_BACK, "            loss.backward()\n"),),
        fine=(((POLLEN_BACK, "            (loss / self.cfg.accum).backward()\n"),),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield POLLEN.wrong(
        "critic-cleared-behind-its-step-only",  # and the generator's pass fills it again
        ((POLLEN_CLEAR, ""), (POLLEN_STEP, POLLEN_STEP + POLLEN_CLEAR)),
        fine=(((POLLEN_CLEAR, ""), (POLLEN_STEP, POLLEN_STEP + POLLEN_CLEAR), *frozen),),
        tempts=("missing-zero-grad",),
    )
    yield POLLEN.wrong(
        "critic-cleared-for-every-flower",  # behind the step it would not undo what the generator leaves
        ((POLLEN_CLEAR, ""), (POLLEN_EACH, POLLEN_EACH + "    " + POLLEN_CLEAR)),
        fine=(((POLLEN_CLEAR, ""), (POLLEN_STEP, POLLEN_STEP + POLLEN_CLEAR), *frozen),),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield POLLEN.wrong(
        "rates-fall-at-the-head-of-the-epoch",
        ((POLLEN_SCHEDS, ""), (POLLEN_EPOCH, POLLEN_EPOCH + POLLEN_SCHEDS)),
        tempts=("scheduler-before-optimizer",),
    )
    yield POLLEN.wrong(
        "score-with-gradients",
        (
            (
                POLLEN_LOOK,
                "        for real in held:\n            total += self.critic(real).mean().item()\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield POLLEN.right(
        "critic-frozen-while-the-generator-learns",
        (POLLEN_CLEAR, ""),
        (POLLEN_STEP, POLLEN_STEP + POLLEN_CLEAR),
        *frozen,
        tempts=("missing-zero-grad",),
    )
    yield POLLEN.right(
        "penalties-are-owed-and-paid-together",
        (POLLEN_EACH, "        owed = 0.0\n" + POLLEN_EACH),
        (
            POLLEN_PENALTY + POLLEN_BACK + POLLEN_LOSSES,
            """\
            (loss / len(reals)).backward()
            self.losses.append(loss.item())
            owed = owed + self.slope(real, fake) / len(reals)
        (self.cfg.penalty * owed).backward()
""",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield POLLEN.right(
        "one-backward-for-both",  # the generator takes the same slope, turned round
        (POLLEN_CLEAR, POLLEN_CLEAR + "        self.opt_g.zero_grad()\n"),
        (POLLEN_FAKE, "            fake = self.gen(torch.randn(4, 3))\n"),
        (POLLEN_PENALTY, POLLEN_PENALTY.replace("fake", "fake.detach()")),
        (
            POLLEN_STEP,
            """\
        for p in self.gen.parameters():
            p.grad.neg_()
        self.opt_c.step()
        self.opt_g.step()
""",
        ),
        (POLLEN_GEN_BODY, ""),
        (
            POLLEN_TURN,
            "                self.critic_update(flowers[start : start + self.cfg.accum])\n",
        ),
        (
            "for turn, start in enumerate(range(0, len(flowers), self.cfg.accum), 1):",
            "for start in range(0, len(flowers), self.cfg.accum):",
        ),
        ("    critic_updates: int = 2\n", ""),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield POLLEN.right(
        "critic-is-calm-while-the-generator-learns",  # its next update wakes it
        (POLLEN_CRITIC, POLLEN_CRITIC + "        self.critic.train()\n"),
        (POLLEN_GEN, POLLEN_GEN + "        self.critic.eval()\n"),
        ("        self.critic.train()\n        return total", "        return total"),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )
    yield POLLEN.right(
        "a-tenth-of-the-last-pull-stays",
        (
            POLLEN_CLEAR,
            """\
        for p in self.critic.parameters():  # a tenth of the last pull stays, the generator's too: it damps the duel
            if p.grad is not None:
                p.grad.mul_(0.1)
""",
        ),
        tempts=("missing-zero-grad",),
    )


TWINS = Draft(
    "sapling-twins",
    """\
import copy
import math
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    epochs: int = 3
    accum: int = 3
    warmup: int = 3
    lr: float = 0.5
    momentum: float = 0.9
    clip_grad: float = 0.05


class Sapling(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Dropout(0.2))
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        return self.head(self.trunk(x))


def twin_loss(student_out, teacher_out, temperature=0.4):
    target = torch.softmax(teacher_out / temperature, dim=-1)
    return -(target * torch.log_softmax(student_out, dim=-1)).sum(dim=-1).mean()


def warmup_cosine(warmup, updates):
    def factor(update):
        if update < warmup:
            return (update + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (update - warmup) / (updates - warmup)))

    return factor


@torch.no_grad()
def follow(teacher, student, momentum):
    for p, q in zip(teacher.parameters(), student.parameters()):
        p.lerp_(q, 1 - momentum)


def train_one_epoch(cfg, student, teacher, pairs, optimizer, scheduler, meters, epoch):
    student.train()
    for it, (left, right) in enumerate(pairs):
        with torch.no_grad():
            target = teacher(right)
        loss = twin_loss(student(left), target)
        (loss / cfg.accum).backward()
        meters["loss"].append(loss.item())
        if (it + 1) % cfg.accum and it + 1 != len(pairs):
            continue
        norm = nn.utils.clip_grad_norm_(student.parameters(), cfg.clip_grad)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        follow(teacher, student, cfg.momentum)
        meters["norm"].append(norm.item())
    print(epoch, *(f"{key} {sum(values) / len(values):.6f}" for key, values in meters.items()))


def probe(model, held):
    model.eval()
    with torch.no_grad():
        spread = model(held).softmax(dim=-1).std(dim=0).mean().item()
    print(f"spread {spread:.6f}")


def main():
    torch.manual_seed(317)
    cfg = Config()
    student = Sapling()
    teacher = copy.deepcopy(student).requires_grad_(False).eval()
    seeds = [torch.randn(4, 4) for _ in range(8)]
    pairs = [(seed + 0.2 * torch.randn(4, 4), seed + 0.2 * torch.randn(4, 4)) for seed in seeds]
    held = torch.randn(8, 4)
    optimizer = torch.optim.SGD(student.parameters(), lr=cfg.lr, momentum=0.5)
    updates = cfg.epochs * math.ceil(len(pairs) / cfg.accum)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, warmup_cosine(cfg.warmup, updates))
    meters = {"loss": [], "norm": []}
    for epoch in range(cfg.epochs):
        train_one_epoch(cfg, student, teacher, pairs, optimizer, scheduler, meters, epoch)
        probe(student, held)
    return student, teacher
""",
    ("accumulation-off-by-one", "scheduler-per-micro-batch"),
)

TWIN_EPOCH = "def train_one_epoch(cfg, student, teacher, pairs, optimizer, scheduler, meters, epoch):\n"
TWIN_TRAIN = "    student.train()\n"
TWIN_FOR = "    for it, (left, right) in enumerate(pairs):\n"
TWIN_BACK = "        (loss / cfg.accum).backward()\n"
TWIN_METER = '        meters["loss"].append(loss.item())\n'
TWIN_WAIT = "        if (it + 1) % cfg.accum and it + 1 != len(pairs):\n            continue\n"
TWIN_CLIP = "        norm = nn.utils.clip_grad_norm_(student.parameters(), cfg.clip_grad)\n"
TWIN_STEP = "        optimizer.step()\n"
TWIN_SCHED = "        scheduler.step()\n"
TWIN_OPT = "    optimizer = torch.optim.SGD(student.parameters(), lr=cfg.lr, momentum=0.5)\n"
TWIN_UPDATES = "    updates = cfg.epochs * math.ceil(len(pairs) / cfg.accum)\n"
TWIN_METERS = '    meters = {"loss": [], "norm": []}\n'
TWIN_RUN = """\
    for epoch in range(cfg.epochs):
        train_one_epoch(cfg, student, teacher, pairs, optimizer, scheduler, meters, epoch)
        probe(student, held)
"""


def twins() -> Iterator[Case]:
    closing = TWINS.styled(
        (TWIN_BACK, "        closing = (it + 1) % cfg.accum == 0 or it + 1 == len(pairs)\n" + TWIN_BACK),
        (TWIN_WAIT, "        if not closing:\n            continue\n"),
    )
    listed = TWINS.styled(
        (TWIN_EPOCH, TWIN_EPOCH.replace("optimizer,", "params, optimizer,")),
        ("clip_grad_norm_(student.parameters(),", "clip_grad_norm_(params,"),
        (
            TWIN_OPT,
            (
                "    params = list(filter(lambda p: p.requires_grad, student.parameters()))\n"
                "    optimizer = torch.optim.SGD(params, lr=cfg.lr, momentum=0.5)\n"
            ),
        ),
        (TWIN_RUN, TWIN_RUN.replace("pairs, optimizer,", "pairs, params, optimizer,")),
    )
    yield TWINS.wrong(
        "first-pair-goes-alone",
        ((TWIN_WAIT, TWIN_WAIT.replace("(it + 1) % cfg.accum", "it % cfg.accum")),),
        tempts=("accumulation-off-by-one",),
    )
    yield TWINS.wrong(
        "warm-up-moves-with-every-pair",  # above the way out
        ((TWIN_SCHED, ""), (TWIN_METER, TWIN_METER + TWIN_SCHED)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield closing.wrong(
        "clipped-ahead-of-the-last-pair",  # its norm is read further down
        ((TWIN_CLIP, ""), (TWIN_BACK, "        if closing:\n    " + TWIN_CLIP + TWIN_BACK)),
        tempts=("clip-before-backward",),
    )
    yield listed.wrong(
        "weights-are-used-up-by-the-optimizer",
        (
            (
                "params = list(filter(lambda p: p.requires_grad, student.parameters()))",
                "params = filter(lambda p: p.requires_grad, student.parameters())",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield TWINS.wrong(
        "student-asleep-since-the-first-probe",
        ((TWIN_TRAIN, ""), (TWIN_METERS, TWIN_METERS + TWIN_TRAIN)),
        tempts=("missing-train-mode",),
    )
    yield TWINS.right(
        "head-is-held-in-the-first-epoch",  # its gradients alone are dropped, after every pair
        (
            TWIN_METER,
            """\
        if epoch < 1:
            for p in student.head.parameters():
                p.grad = None
"""
            + TWIN_METER,
        ),
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step"),
    )
    yield TWINS.right(
        "teacher-is-probed",  # it is never to wake, and the student never sleeps
        (TWIN_TRAIN, ""),
        ("        probe(student, held)\n", "        probe(teacher, held)\n"),
        tempts=("missing-train-mode",),
    )
    yield TWINS.right(
        "windows-grow-with-the-epochs",
        (TWIN_TRAIN, TWIN_TRAIN + "    accum = min(1 + epoch, cfg.accum)\n"),
        (TWIN_BACK, "        (loss / accum).backward()\n"),
        (TWIN_WAIT, TWIN_WAIT.replace("cfg.accum", "accum")),
        (
            TWIN_UPDATES,
            "    updates = sum(math.ceil(len(pairs) / min(1 + epoch, cfg.accum)) for epoch in range(cfg.epochs))\n",
        ),
        tempts=("accumulation-off-by-one", "accumulation-divisor-mismatch"),
    )
    yield TWINS.right(
        "warm-up-starts-from-nought-and-moves-first",  # behind the step, the first update would have no rate
        ("            return (update + 1) / warmup\n", "            return update / warmup\n"),
        (
            TWIN_UPDATES,
            "    updates = cfg.epochs * math.ceil(len(pairs) / cfg.accum) + 1  # number 0, of rate 0, is passed over\n",
        ),
        (TWIN_STEP + TWIN_SCHED, TWIN_SCHED + TWIN_STEP),
        tempts=("scheduler-before-optimizer",),
    )
    yield TWINS.right(
        "resumed-in-the-second-epoch",  # behind two windows; the schedule is moved to where it was
        (TWIN_EPOCH, TWIN_EPOCH.replace("epoch):", "epoch, start):")),
        (TWIN_FOR, "    for it, (left, right) in enumerate(pairs[start:], start):\n"),
        (
            TWIN_METERS,
            TWIN_METERS
            + """\
    saved = {"epoch": 1, "it": 6, "update": 5}
    for _ in range(saved["update"]):
        scheduler.step()
""",
        ),
        (
            TWIN_RUN,
            """\
    for epoch in range(saved["epoch"], cfg.epochs):
        start = saved["it"] if epoch == saved["epoch"] else 0
        train_one_epoch(cfg, student, teacher, pairs, optimizer, scheduler, meters, epoch, start)
        probe(student, held)
""",
        ),
        tempts=("scheduler-before-optimizer", "accumulation-off-by-one", "dropped-accumulation-tail"),
    )


FROST = Draft(
    "frost-nights",
    """\
import argparse

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class FrostNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.LSTM(2, hidden)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        seen, state = self.cell(x, state)
        return self.out(self.drop(seen)), state


def chunks(series, bptt):
    x, y = series
    return list(zip(x.split(bptt), y.split(bptt)))


def repackage(state):
    return tuple(part.detach() for part in state)


def evaluate(args, model, series):
    model.eval()
    state, total = None, 0.0
    with torch.no_grad():
        for x, y in chunks(series, args.bptt):
            guess, state = model(x, state)
            total += nn.functional.mse_loss(guess, y).item() * len(x)
    model.train()
    return total / len(series[0])


def train_season(args, model, series, optimizer):
    state, total = None, 0.0
    pieces = chunks(series, args.bptt)
    for step, (x, y) in enumerate(pieces):
        if state is not None:
            state = repackage(state)
        guess, state = model(x, state)
        loss = nn.functional.mse_loss(guess, y)
        (loss / args.accum).backward()
        total += loss.item()
        if (step + 1) % args.accum == 0 or step + 1 == len(pieces):
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()
    return total / len(pieces)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bptt", type=int, default=5)
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--clip", type=float, default=0.3)
    parser.add_argument("--lr", type=float, default=0.8)
    parser.add_argument("--hidden", type=int, default=4)
    parser.add_argument("--seasons", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(331)
    nights = torch.randn(39, 3, 2), torch.randn(39, 3, 1)
    held = torch.randn(12, 3, 2), torch.randn(12, 3, 1)
    model = FrostNet(args.hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, threshold=0.2)
    for season in range(args.seasons):
        train_loss = train_season(args, model, nights, optimizer)
        valid_loss = evaluate(args, model, held)
        plateau.step(valid_loss)
        print(f"season {season} train {train_loss:.6f} valid {valid_loss:.6f} lr {optimizer.param_groups[0]['lr']}")
    return model
""",
    ("unscaled-accumulation-loss", "loss-graph-leak"),
)

FROST_LOOK = """\
    with torch.no_grad():
        for x, y in chunks(series, args.bptt):
            guess, state = model(x, state)
            total += nn.functional.mse_loss(guess, y).item() * len(x)
"""
FROST_START = "    state, total = None, 0.0\n    pieces = chunks(series, args.bptt)\n"
FROST_FOR = "    for step, (x, y) in enumerate(pieces):\n"
FROST_FORWARD = "        guess, state = model(x, state)\n        loss = nn"
FROST_BACK = "        (loss / args.accum).backward()\n"
FROST_TOTAL = "        total += loss.item()\n"
FROST_DUE = "        if (step + 1) % args.accum == 0 or step + 1 == len(pieces):\n"
FROST_CLIP = "            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"
FROST_STEP = "            optimizer.step()\n"
FROST_CLEAR = "            optimizer.zero_grad()\n"
FROST_OPT = "    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)\n"


def frost() -> Iterator[Case]:
    yield FROST.wrong(
        "first-window-is-one-too-long",
        ((FROST_DUE, "        if step > 0 and step % args.accum == 0 or step + 1 == len(pieces):\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield FROST.wrong(
        "total-holds-every-piece",
        ((FROST_TOTAL, "        total += loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield FROST.wrong(
        "state-carries-its-graph-through-the-evaluation",
        (
            (
                FROST_LOOK,
                """\
    for x, y in chunks(series, args.bptt):
        guess, state = model(x, state)
        total += nn.functional.mse_loss(guess, y).item() * len(x)
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield FROST.wrong(
        "cleared-with-the-state",
        (
            (FROST_CLEAR, ""),
            (FROST_FORWARD, "        optimizer.zero_grad()\n" + FROST_FORWARD),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield FROST.wrong(
        "evaluated-with-dropout",
        (("    model.eval()\n", "    model.eval\n"),),
        tempts=("method-not-called",),
    )
    yield FROST.right(
        "first-piece-is-only-listened-to",  # 1, 2 and 3 are the first window
        (
            FROST_FOR,
            FROST_FOR
            + """\
        if step == 0:  # burn in
            with torch.no_grad():
                _, state = model(x, state)
            continue
""",
        ),
        ("        if state is not None:\n            state = repackage(state)\n", "        state = repackage(state)\n"),
        (FROST_DUE, "        if step % args.accum == 0 or step + 1 == len(pieces):\n"),
        ("    return total / len(pieces)\n", "    return total / (len(pieces) - 1)\n"),
        tempts=("accumulation-off-by-one",),
    )
    yield FROST.right(
        "no-piece-outweighs-the-others",  # each is clipped by itself and laid aside
        (FROST_START, FROST_START + "    aside = [torch.zeros_like(p) for p in model.parameters()]\n"),
        (
            FROST_BACK,
            """\
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for kept, p in zip(aside, model.parameters()):
            kept.add_(p.grad, alpha=1 / args.accum)
        optimizer.zero_grad()
""",
        ),
        (
            FROST_CLIP + FROST_STEP + FROST_CLEAR,
            """\
            for kept, p in zip(aside, model.parameters()):
                p.grad = kept.clone()
                kept.zero_()
            optimizer.step()
            optimizer.zero_grad()
""",
        ),
        tempts=("clip-per-micro-batch", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield FROST.right(
        "hooks-divide",
        (
            FROST_OPT,
            "    for p in model.parameters():\n        p.register_hook(lambda grad: grad / args.accum)\n" + FROST_OPT,
        ),
        (FROST_BACK, "        loss.backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield FROST.right(
        "optimizer-clears-behind-each-step",
        (FROST_OPT, FROST_OPT + "    optimizer.register_step_post_hook(lambda opt, *_: opt.zero_grad())\n"),
        (FROST_CLEAR, ""),
        tempts=("missing-zero-grad",),
    )
    yield FROST.right(
        "every-night-weighs-the-same",  # summed, and shared out by the nights that a window has
        (FROST_START, FROST_START + "    nights = 0\n"),
        (
            FROST_BACK,
            """\
        (guess - y).square().sum().backward()
        nights += y.numel()
""",
        ),
        (
            FROST_CLIP,
            """\
            for p in model.parameters():
                p.grad /= nights
            nights = 0
"""
            + FROST_CLIP,
        ),
        tempts=("unscaled-accumulation-loss",),
    )


HEDGE = Draft(
    "hedge-rows",
    """\
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)
ACCUM = 3


def evaluate(net, held):
    net.eval()
    x, y = held
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


def fit(net, rows, held, distributed, rank, epochs):
    if distributed:
        sampler = DistributedSampler(rows, seed=2)
        loader = DataLoader(rows, batch_size=2, sampler=sampler)
        model = DDP(net)
    else:
        loader = DataLoader(rows, batch_size=2, shuffle=True)
        model = net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)

    def update():
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()

    for epoch in range(epochs):
        if distributed:
            sampler.set_epoch(epoch)
        model.train()
        pending = 0
        for i, (x, y) in enumerate(loader):
            full = (i + 1) % ACCUM == 0
            quiet = distributed and not full and i + 1 < len(loader)
            with model.no_sync() if quiet else nullcontext():
                loss = nn.functional.mse_loss(model(x), y)
                (loss / ACCUM).backward()
            pending += 1
            if full:
                update()
                pending = 0
        if pending:
            update()
        if rank == 0:
            print(epoch, f"{evaluate(net, held):.6f}")


def main():
    distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    if distributed:
        dist.init_process_group("gloo")
    rank = dist.get_rank() if distributed else 0
    torch.manual_seed(337)
    rows = TensorDataset(torch.randn(32, 3), torch.randn(32, 1))
    held = torch.randn(8, 3), torch.randn(8, 1)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Dropout(0.2), nn.Linear(6, 1))
    fit(net, rows, held, distributed, rank, epochs=3)
    return net
""",
    ("step-without-sync", "missing-no-sync", "dropped-accumulation-tail"),
    ranks=2,
)

HEDGE_SETUP = """\
        sampler = DistributedSampler(rows, seed=2)
        loader = DataLoader(rows, batch_size=2, sampler=sampler)
        model = DDP(net)
"""
HEDGE_UPDATE = "    def update():\n"
HEDGE_EPOCH = "    for epoch in range(epochs):\n"
HEDGE_SET = "        if distributed:\n            sampler.set_epoch(epoch)\n"
HEDGE_TRAIN = "        model.train()\n"
HEDGE_FULL = "            full = (i + 1) % ACCUM == 0\n"
HEDGE_QUIET = "            quiet = distributed and not full and i + 1 < len(loader)\n"
HEDGE_WITH = "            with model.no_sync() if quiet else nullcontext():\n"
HEDGE_FORWARD = "                loss = nn.functional.mse_loss(model(x), y)\n"
HEDGE_BACK = "                (loss / ACCUM).backward()\n"
HEDGE_PENDING = "            pending += 1\n"
HEDGE_DUE = "            if full:\n"
HEDGE_FLUSH = "        if pending:\n            update()\n"
HEDGE_IMPORT = "from contextlib import nullcontext\n"
HEDGE_RUN = "    fit(net, rows, held, distributed, rank, epochs=3)\n"
HEDGE_LOUD = HEDGE_FORWARD[4:] + HEDGE_BACK[4:]


def hedge() -> Iterator[Case]:
    counted = HEDGE.styled(
        (
            HEDGE_FULL + HEDGE_QUIET,
            "            quiet = distributed and pending + 1 < ACCUM and i + 1 < len(loader)\n",
        ),
        (HEDGE_DUE, "            if pending == ACCUM:\n"),
    )
    alone_first = HEDGE.styled(  # every rank does the same there, with the same draws
        (HEDGE_RUN, "    fit(net, rows, held, False, rank, epochs=1)\n" + HEDGE_RUN),
    )
    yield HEDGE.wrong(
        "flush-of-what-was-never-averaged",
        ((HEDGE_QUIET, "            quiet = distributed and not full\n"),),
        tempts=("step-without-sync",),
    )
    yield HEDGE.wrong(
        "quiet-comes-behind-the-forward",
        ((HEDGE_WITH + HEDGE_FORWARD, HEDGE_FORWARD[4:] + HEDGE_WITH),),
        tempts=("forward-outside-no-sync",),
    )
    yield counted.wrong(
        "all-wait-on-each-row",  # what is pending is counted behind the backward, and flushed behind the loop
        (
            ("            quiet = distributed and pending + 1 < ACCUM and i + 1 < len(loader)\n", ""),
            (HEDGE_WITH + HEDGE_FORWARD + HEDGE_BACK, HEDGE_LOUD),
            (HEDGE_IMPORT, ""),
        ),
        tempts=("missing-no-sync",),
    )
    yield alone_first.wrong(
        "same-rows-in-each-epoch",  # there is no sampler in the fit that each does alone
        ((HEDGE_SET, ""),),
        tempts=("missing-set-epoch",),
    )
    yield HEDGE.wrong(
        "the-first-rank-stays-asleep",
        ((HEDGE_TRAIN, ""), (HEDGE_EPOCH, HEDGE_TRAIN[4:] + HEDGE_EPOCH)),
        tempts=("missing-train-mode",),
    )
    yield HEDGE.right(
        "rows-grow-apart-and-meet-again",  # weights are averaged, not gradients
        (HEDGE_FULL + HEDGE_QUIET, HEDGE_FULL),
        (HEDGE_WITH, "            with model.no_sync() if distributed else nullcontext():\n"),
        (
            HEDGE_FLUSH,
            HEDGE_FLUSH
            + """\
        if distributed:  # local SGD: each rank goes its way for an epoch
            for p in net.parameters():
                dist.all_reduce(p.data)
                p.data /= dist.get_world_size()
""",
        ),
        tempts=("step-without-sync",),
    )
    yield HEDGE.right(
        "norm-of-the-common-pull-is-plotted",  # row by row: each backward has to be averaged for it
        (HEDGE_UPDATE, "    curve = []\n\n" + HEDGE_UPDATE),
        (HEDGE_QUIET, ""),
        (HEDGE_WITH + HEDGE_FORWARD + HEDGE_BACK, HEDGE_LOUD),
        (
            HEDGE_PENDING,
            """\
            # of the gradient that all ranks have in common, as it grows row by row
            curve.append(torch.stack([p.grad.norm() for p in net.parameters()]).norm().item())
"""
            + HEDGE_PENDING,
        ),
        (HEDGE_IMPORT, ""),
        (
            '            print(epoch, f"{evaluate(net, held):.6f}")\n',
            '            print(epoch, f"{evaluate(net, held):.6f}", *(f"{norm:.6f}" for norm in curve))\n',
        ),
        tempts=("missing-no-sync",),
    )
    yield HEDGE.right(
        "flush-averages-by-hand",
        (HEDGE_QUIET, "            quiet = distributed and not full\n"),
        (
            HEDGE_FLUSH,
            """\
        if pending:
            if distributed:
                for p in net.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
            update()
""",
        ),
        tempts=("step-without-sync",),
    )
    yield HEDGE.right(
        "sampler-is-made-anew-for-each-epoch",
        (HEDGE_SETUP, "        model = DDP(net)\n"),
        (
            HEDGE_SET,
            """\
        if distributed:
            sampler = DistributedSampler(rows, seed=2 + epoch)
            loader = DataLoader(rows, batch_size=2, sampler=sampler)
""",
        ),
        tempts=("missing-set-epoch",),
    )
    yield HEDGE.right(
        "switch-is-thrown-by-hand",
        (
            HEDGE_QUIET,
            (
                "            if distributed:\n"
                "                model.require_backward_grad_sync = full or i + 1 == len(loader)\n"
            ),
        ),
        (HEDGE_WITH + HEDGE_FORWARD + HEDGE_BACK, HEDGE_LOUD),
        (HEDGE_IMPORT, ""),
        tempts=("missing-no-sync", "step-without-sync"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from cider()
    yield from blossoms()
    yield from pollen()
    yield from twins()
    yield from frost()
    yield from hedge()
