"""Recommenders: tables beside windows, a slate bandit, a frozen teacher, a reranker of Accelerate's, cold starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

BASKETS = Draft(
    "tables-beside-a-window",
    """\
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


@dataclass(frozen=True)
class Plan:
    accum: int = 3
    epochs: int = 2
    limit: float = 0.05


class Taste(nn.Module):
    def __init__(self, users=7, goods=9, size=4):
        super().__init__()
        self.users = nn.Embedding(users, size, sparse=True)
        self.goods = nn.Embedding(goods, size, sparse=True)
        self.mix = nn.Sequential(nn.Linear(size, 5), nn.Tanh(), nn.Linear(5, 1))

    def forward(self, user, good):
        return self.mix(self.users(user) * self.goods(good)).squeeze(1)


def baskets(epoch, count=12):
    dice = torch.Generator().manual_seed(epoch)
    for _ in range(count):
        user, good = torch.randint(7, (6,), generator=dice), torch.randint(9, (6,), generator=dice)
        yield user, good, ((user + good) % 2).double()


def main(plan=Plan()):
    torch.manual_seed(14)
    taste = Taste()
    tables = torch.optim.SparseAdam([taste.users.weight, taste.goods.weight], lr=0.02)
    mix = torch.optim.SGD(taste.mix.parameters(), lr=0.5, momentum=0.9)
    for p in taste.mix.parameters():
        p.register_hook(lambda grad: grad / plan.accum)
    for epoch in range(plan.epochs):
        for n, (user, good, bought) in enumerate(baskets(epoch), start=1):
            loss = F.binary_cross_entropy_with_logits(taste(user, good), bought)
            loss.backward()
            tables.step()
            tables.zero_grad()
            if n % plan.accum == 0:
                nn.utils.clip_grad_norm_(taste.mix.parameters(), plan.limit)
                mix.step()
                mix.zero_grad()
    return taste
""",
    ("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)

B_HOOK = "    for p in taste.mix.parameters():\n        p.register_hook(lambda grad: grad / plan.accum)\n"
B_CLIP = "                nn.utils.clip_grad_norm_(taste.mix.parameters(), plan.limit)\n"
B_STEP = "                mix.step()\n"
B_GUARD = "            if n % plan.accum == 0:\n"


def bought() -> Iterator[Case]:
    yield BASKETS.right("as-it-is")
    yield BASKETS.right(
        "mix-is-divided-at-its-window",
        (B_HOOK, ""),
        (
            B_CLIP,
            "                for p in taste.mix.parameters():\n                    p.grad.div_(plan.accum)\n" + B_CLIP,
        ),
    )
    yield BASKETS.right("mix-has-a-rate-for-sums", (B_HOOK, ""), (B_CLIP, ""), ("lr=0.5,", "lr=0.5 / plan.accum,"))
    yield BASKETS.right(
        "window-is-left-with-continue",
        (
            B_GUARD + B_CLIP + B_STEP + "                mix.zero_grad()\n",
            "            if n % plan.accum:\n                continue\n"
            + (B_CLIP + B_STEP).replace("    " * 4, "    " * 3)
            + "            mix.zero_grad()\n",
        ),
    )
    yield BASKETS.wrong("everything-is-cleared-with-the-tables", (("tables.zero_grad()", "taste.zero_grad()"),))
    yield BASKETS.wrong(
        "tables-are-cleared-with-the-mix",
        (("            tables.zero_grad()\n", ""), ("mix.zero_grad()", "taste.zero_grad()")),
        tempts=("missing-zero-grad",),
    )
    yield BASKETS.wrong(
        "mix-is-clipped-with-each-basket",
        ((B_CLIP, ""), ("            tables.step()\n", B_CLIP[4:] + "            tables.step()\n")),
        tempts=("clip-per-micro-batch",),
    )
    yield BASKETS.wrong(
        "clip-behind-and-first-window-of-one",
        ((B_CLIP + B_STEP, B_STEP + B_CLIP),),
        ((B_GUARD, "            if (n - 1) % plan.accum == 0:\n"),),
        tempts=("clip-after-step", "accumulation-off-by-one"),
    )


SLATE = Draft(
    "slate-that-a-visitor-leaves",
    """\
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_default_dtype(torch.float64)


class Shop:
    def __init__(self, seed):
        self.dice = torch.Generator().manual_seed(seed)
        self.left = seed % 4 + (seed > 0)

    def look(self):
        self.left -= 1
        return torch.randn(3, generator=self.dice) if self.left >= 0 else None

    def show(self, choice, view):
        return self.look(), float(view[choice % 3]) + 0.1 * choice


def worth(value, views):
    value.eval()
    with torch.no_grad():
        total = sum(value(view).item() for view in views)
    value.train()
    return total / len(views)


def main():
    torch.manual_seed(9)
    policy = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 4))
    value = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    opt = torch.optim.Adam([{"params": policy.parameters()}, {"params": value.parameters(), "lr": 0.05}], lr=0.02)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda visit: 1 / (1 + visit))
    views, diary = torch.randn(4, 3), []
    for visit in range(7):
        shop, terms = Shop(visit), []
        view = shop.look()
        while view is not None:
            odds, guess = Categorical(logits=policy(view)), value(view).squeeze()
            choice = odds.sample()
            view, reward = shop.show(choice.item(), view)
            edge = reward - guess
            terms.append(edge.pow(2) - odds.log_prob(choice) * edge.detach() - 0.01 * odds.entropy())
        if not terms:
            continue
        loss = torch.stack(terms).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.05)
        opt.step()
        sched.step()
        diary.append(loss.item())
        print(f"{visit} {worth(value, views):.4f}")
    print(f"{sum(diary) / len(diary):.4f}")
    return policy, value
""",
    ("loss-graph-leak",),
)

S_CLEAR = "        opt.zero_grad()\n"
S_BACK = "        loss.backward()\n"
S_CLIP = "        nn.utils.clip_grad_norm_(policy.parameters(), 0.05)\n"
S_REST = S_CLIP + "        opt.step()\n        sched.step()\n"


def shown() -> Iterator[Case]:
    yield SLATE.right("as-it-is")
    yield SLATE.right(
        "two-visits-are-one-update",
        ("        shop, terms = Shop(visit), []\n", "        shop = Shop(visit)\n"),
        ("diary = torch.randn(4, 3), []\n", "diary = torch.randn(4, 3), []\n    terms = []\n"),
        ("        if not terms:\n", "        if visit % 2 == 0 or not terms:\n"),
        (S_REST, S_REST + "        terms.clear()\n"),
    )
    yield SLATE.right(
        "rate-of-a-count-from-one",
        ("1 / (1 + visit))", "1 / max(visit, 1))"),
        (S_REST, S_REST.replace("        sched.step()\n", "")),
        (S_CLEAR, S_CLEAR + "        sched.step()\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield SLATE.right(
        "both-networks-are-cleared-before-the-visit",
        (S_CLEAR, ""),
        ("        view = shop.look()\n", "        view = shop.look()\n        policy.zero_grad(), value.zero_grad()\n"),
        tempts=("missing-zero-grad",),
    )
    yield SLATE.wrong("diary-of-tensors", (("loss.item()", "loss"),))
    yield SLATE.wrong(
        "cleared-at-the-last-moment", ((S_CLEAR + S_BACK, S_BACK + S_CLEAR),), tempts=("zero-grad-before-step",)
    )
    yield SLATE.wrong(
        "worth-keeps-a-graph",
        (
            (
                "    with torch.no_grad():\n        total = sum(value(view).item() for view in views)\n",
                "    total = sum(value(view).item() for view in views)\n",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield SLATE.wrong(
        "rate-is-only-named-and-value-sleeps",
        (("        sched.step()\n", "        sched.step\n"),),
        (("    value.train()\n", ""),),
        tempts=("method-not-called", "missing-train-mode"),
    )


TEACHER = Draft(
    "tower-with-a-sleeping-stem",
    """\
import copy
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Tower(nn.Module):
    def __init__(self, stem):
        super().__init__()
        self.stem = stem
        self.drop = nn.Dropout(0.25)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.drop(torch.relu(self.stem(x))))


@contextmanager
def resting(*nets):
    modes = {module: module.training for net in nets for module in net.modules()}
    for net in nets:
        net.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def main():
    torch.manual_seed(23)
    teacher = Tower(nn.Sequential(nn.Linear(5, 6), nn.BatchNorm1d(6)))
    student = Tower(copy.deepcopy(teacher.stem))
    student.stem.requires_grad_(False)
    student.stem.eval()
    opt = torch.optim.SGD([p for p in student.parameters() if p.requires_grad], lr=0.5)
    shelves = list(torch.randn(5, 4, 5).unbind())
    held, scores = torch.randn(8, 5), []
    for epoch in range(4):
        if epoch == 2:
            student.stem.requires_grad_(True)
            opt.add_param_group({"params": student.stem.parameters(), "lr": 0.1})
        for x in shelves:
            with resting(teacher):
                soft = (3 * teacher(x)).softmax(1)
            loss = F.cross_entropy(student(x), soft)
            loss.backward()
            nn.utils.clip_grad_norm_([p for p in student.parameters() if p.requires_grad], 0.1)
            opt.step()
            opt.zero_grad()
        with resting(teacher, student):
            scores.append(F.mse_loss(student(held), teacher(held)).item())
        print(f"{epoch}: {scores[-1]:.5f}")
    return student
""",
    ("missing-train-mode",),
)

L_TRAINED = "[p for p in student.parameters() if p.requires_grad]"
L_OPT = f"    opt = torch.optim.SGD({L_TRAINED}, lr=0.5)\n"
L_FROM_IT = "    opt = torch.optim.SGD(trainable, lr=0.5)\n"
L_REST = "        with resting(teacher, student):\n            scores"
LOUD = TEACHER.styled(
    (
        L_REST,
        "        student.eval()\n        with resting(teacher):\n            scores",
    ),
    ("        print(f", "        student.train()\n        student.stem.eval()\n        print(f"),
)


def taught() -> Iterator[Case]:
    yield TEACHER.right("as-it-is")
    yield TEACHER.right("all-of-it-sleeps", ("    student.stem.eval()\n", "    student.eval()\n"))
    yield LOUD.right("woken-by-hand")
    yield TEACHER.right(
        "only-the-head-is-clipped",
        (L_OPT, "    trainable = " + L_TRAINED + "\n" + L_FROM_IT),
        (f"clip_grad_norm_({L_TRAINED}, 0.1)", "clip_grad_norm_(trainable, 0.1)"),
        tempts=("clip-exhausted-parameters",),
    )
    yield LOUD.wrong("never-wakes", (("        student.train()\n        student.stem.eval()\n", ""),))
    yield LOUD.wrong(
        "dropout-in-the-score", (("        student.eval()\n", "        student.eval\n"),), tempts=("method-not-called",)
    )
    yield TEACHER.wrong(
        "rests-with-gradients",
        (("        with torch.no_grad():\n            yield\n", "        yield\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield TEACHER.wrong(
        "filter-is-used-up",
        (
            (L_OPT, "    trainable = filter(lambda p: p.requires_grad, student.parameters())\n" + L_FROM_IT),
            (f"clip_grad_norm_({L_TRAINED}, 0.1)", "clip_grad_norm_(trainable, 0.1)"),
        ),
        tempts=("clip-exhausted-parameters",),
    )


RERANKER = Draft(
    "reranker-taken-up-in-an-epoch",
    """\
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def main():
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=3)
    torch.manual_seed(16)
    ranker = torch.nn.Sequential(torch.nn.Linear(5, 6), torch.nn.GELU(), torch.nn.Linear(6, 1))
    optimizer = torch.optim.SGD(ranker.parameters(), lr=0.3, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda update: 0.8**update)
    loader = DataLoader(TensorDataset(torch.randn(16, 5), 3 * torch.randn(16, 1)), batch_size=2)
    ranker, optimizer, loader, scheduler = accelerator.prepare(ranker, optimizer, loader, scheduler)
    said = {"mean": lambda epoch, mean: accelerator.print(f"{epoch}: {mean:.4f}")}
    for epoch in range(2):
        total = 0.0
        batches = accelerator.skip_first_batches(loader, 3) if epoch == 0 else loader
        for x, y in batches:
            with accelerator.accumulate(ranker):
                loss = torch.nn.functional.mse_loss(ranker(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(ranker.parameters(), 0.4)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            total += loss.item()
        said["mean"](epoch, total / len(batches))
    return accelerator.unwrap_model(ranker)
""",
    ("clip-per-micro-batch", "scheduler-per-micro-batch"),
)

R_GATE = "                if accelerator.sync_gradients:\n"
R_CLIP = "                    accelerator.clip_grad_norm_(ranker.parameters(), 0.4)\n"
R_STEP = "                optimizer.step()\n"
R_RATE = "                scheduler.step()\n"
R_CLEAR = "                optimizer.zero_grad()\n"
UNPREPARED = (
    "ranker, optimizer, loader, scheduler = accelerator.prepare(ranker, optimizer, loader, scheduler)",
    "ranker, optimizer, loader = accelerator.prepare(ranker, optimizer, loader)",
)


def reranked() -> Iterator[Case]:
    yield RERANKER.right("as-it-is")
    yield RERANKER.right(
        "steps-behind-the-block",
        (R_STEP + R_RATE + R_CLEAR, (R_STEP + R_RATE + R_CLEAR).replace("    " * 4, "    " * 3)),
    )
    yield RERANKER.right(
        "schedule-asks-for-itself",
        UNPREPARED,
        (R_RATE, R_GATE + "    " + R_RATE),
        tempts=("scheduler-per-micro-batch",),
    )
    yield RERANKER.wrong("schedule-is-nobodys", (UNPREPARED,))
    yield RERANKER.wrong("gate-is-missing", ((R_GATE + R_CLIP, R_CLIP[4:]),))
    yield RERANKER.wrong(
        "ranker-is-cleared", ((R_CLEAR, "                ranker.zero_grad()\n"),), tempts=("zero-grad-in-accumulation",)
    )
    yield RERANKER.wrong("total-is-a-graph", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))


COLD = Draft(
    "cold-starts-of-new-shops",
    """\
import copy

import torch
from torch import nn
from torch.func import functional_call
from torch.nn.functional import mse_loss

torch.set_default_dtype(torch.float64)


def samples(shop, part):
    dice = torch.Generator().manual_seed(10 * shop + part)
    x = torch.rand(5, 2, generator=dice)
    return x, (x * (shop + 1)).sum(1, keepdim=True)


def adapted(base, shop, steps):
    fast = copy.deepcopy(base)
    inner = torch.optim.SGD(fast.parameters(), lr=0.05)
    for _ in range(steps):
        inner.zero_grad()
        mse_loss(fast(samples(shop, 0)[0]), samples(shop, 0)[1]).backward()
        inner.step()
    return {name: (p - q).detach() for (name, p), q in zip(fast.named_parameters(), base.parameters())}


def main(shops=3, steps=2):
    torch.manual_seed(30)
    base = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
    outer = torch.optim.Adam(base.parameters(), lr=0.03)
    for turn in range(4):
        outer.zero_grad()
        for shop in range(shops):
            moved = adapted(base, shop, steps)
            x, y = samples(shop, turn + 1)
            weights = {name: p + moved[name] for name, p in base.named_parameters()}
            loss = mse_loss(functional_call(base, weights, (x,)), y)
            (loss / shops).backward()
        nn.utils.clip_grad_norm_(base.parameters(), 0.3)
        outer.step()
    return base
""",
    ("missing-zero-grad", "unscaled-accumulation-loss"),
)

C_INNER = "        inner.zero_grad()\n"
C_OUTER = "        outer.zero_grad()\n"
C_BACK = "            (loss / shops).backward()\n"
C_CLIP = "        nn.utils.clip_grad_norm_(base.parameters(), 0.3)\n"


def met() -> Iterator[Case]:
    yield COLD.right("as-it-is")
    yield COLD.right("one-step-of-a-fresh-copy", (C_INNER, ""), ("steps=2", "steps=1"))
    yield COLD.right(
        "gradients-of-the-copy-are-taken",
        (
            C_BACK,
            (
                "            for p, g in zip(base.parameters(), torch.autograd.grad(loss / shops, [*base.parameters()])):\n"
                "                p.grad = g if p.grad is None else p.grad + g\n"
            ),
        ),
    )
    yield COLD.right(
        "fast-weights-are-added-to-the-base",
        (C_INNER, "        fast.zero_grad()\n"),
        (C_OUTER, ""),
        ("        outer.step()\n", "        outer.step()\n        base.zero_grad()\n"),
    )
    yield COLD.wrong("copy-is-never-cleared", ((C_INNER, ""),))
    yield COLD.wrong("base-is-never-cleared", ((C_OUTER, ""),))
    yield COLD.wrong(
        "base-is-cleared-for-each-shop",
        ((C_OUTER, ""), ("            moved =", "    " + C_OUTER + "            moved =")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield COLD.wrong(
        "shops-are-summed-and-clip-behind",
        ((C_BACK, "            loss.backward()\n"),),
        ((C_CLIP + "        outer.step()\n", "        outer.step()\n" + C_CLIP),),
        tempts=("unscaled-accumulation-loss", "clip-after-step"),
    )


def cases() -> Iterator[Case]:
    yield from bought()
    yield from shown()
    yield from taught()
    yield from reranked()
    yield from met()
