"""Language models: letters that are sampled, quires weighed by words, unrolled scrolls, Accelerate's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SCRIBE = Draft(
    "scribe-that-samples",
    """\
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
LETTERS, BLOCK, WINDOW = 12, 6, 3


class Scribe(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(LETTERS, 10)
        self.drop = nn.Dropout(0.2)
        self.cell = nn.GRU(10, 10, batch_first=True)
        self.out = nn.Linear(10, LETTERS)

    def forward(self, tokens):
        hidden, _ = self.cell(self.drop(self.table(tokens)))
        return self.out(hidden)


def get_batch(text, rng, size=4):
    starts = torch.randint(0, len(text) - BLOCK - 1, (size,), generator=rng).tolist()
    return [torch.stack([text[s + k : s + k + BLOCK] for s in starts]) for k in (0, 1)]


def lm_loss(model, tokens, following):
    return nn.functional.cross_entropy(model(tokens).flatten(0, 1), following.flatten())


@torch.no_grad()
def estimate_loss(model, text, rounds=3):
    rng = torch.Generator().manual_seed(99)
    model.eval()
    mean = sum(lm_loss(model, *get_batch(text, rng)).item() for _ in range(rounds)) / rounds
    model.train()
    return mean


@torch.no_grad()
def sample(model, length=5):
    tokens = torch.zeros(1, 1, dtype=torch.long)
    for _ in range(length):
        tokens = torch.cat((tokens, model(tokens)[:, -1:].argmax(-1)), 1)
    return tokens[0].tolist()


def main():
    torch.manual_seed(4)
    text = torch.randint(0, LETTERS, (160,))
    model = Scribe()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.1)
    rng = torch.Generator().manual_seed(7)
    for update in range(6):
        if update % 2 == 0:
            print(update, f"{estimate_loss(model, text[-40:]):.4f}")
        for _ in range(WINDOW):
            loss = lm_loss(model, *get_batch(text[:-40], rng))
            (loss / WINDOW).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    print(sample(model))
    return model
""",
    ("missing-train-mode", "validation-without-no-grad"),
)

S_SLEEP = ("    model.train()\n    return mean", "    return mean")
S_UPDATE = "        nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n        optimizer.step()\n"
S_BACK = "            (loss / WINDOW).backward()\n"
S_GRAPH = ("@torch.no_grad()\ndef estimate_loss", "def estimate_loss")
S_SHOWN = SCRIBE.styled((S_BACK, S_BACK + "        if update == 2:\n            print(shown(model))\n"))
S_SHOW = """\
def shown(model):
    model.eval()
    letters = sample(model)
    model.train()
    return letters


def main():"""


def scribe() -> Iterator[Case]:
    yield SCRIBE.right("awake-behind-the-estimate")
    yield SCRIBE.right(
        "estimate-puts-back-what-it-found",
        ("    model.eval()\n    mean", "    was = model.training\n    model.eval()\n    mean"),
        ("    model.train()\n    return mean", "    model.train(was)\n    return mean"),
    )
    yield SCRIBE.right(
        "estimate-on-a-copy", S_SLEEP, ("{estimate_loss(model, ", "{estimate_loss(copy.deepcopy(model), ")
    )
    yield SCRIBE.right("dropout-off-from-the-first-day", S_SLEEP, ("model = Scribe()", "model = Scribe().eval()"))
    yield SCRIBE.wrong("asleep-behind-the-estimate", (S_SLEEP,), tempts=("missing-train-mode",))
    yield SCRIBE.wrong("estimate-with-graphs", (S_GRAPH,), tempts=("validation-without-no-grad",))
    yield SCRIBE.wrong("asleep-and-with-graphs", (S_SLEEP,), (S_GRAPH,), tempts=("missing-train-mode",))
    shown = S_SHOWN.styled(("def main():", S_SHOW))
    yield shown.wrong(
        "a-sample-in-the-middle-of-an-update",
        (("    model.train()\n    return letters", "    return letters"),),
        tempts=("missing-train-mode",),
    )
    yield SCRIBE.wrong(
        "each-piece-clears",
        (
            (S_BACK, "            optimizer.zero_grad()\n" + S_BACK),
            ("        optimizer.zero_grad()\n    model", "    model"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )


QUIRES = Draft(
    "quires-weighed-by-words",
    """\
import itertools

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
PAD = 0


def leaves(seed, count):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        leaf = torch.zeros(3, 7, dtype=torch.long)
        for row, length in zip(leaf, torch.randint(2, 8, (3,), generator=rng).tolist()):
            row[:length] = torch.randint(1, 9, (length,), generator=rng)
        yield leaf


def quires(stream, size):
    while quire := list(itertools.islice(stream, size)):
        yield quire


def word_loss(model, leaf, reduction):
    return F.cross_entropy(
        model(leaf[:, :-1]).flatten(0, 1), leaf[:, 1:].flatten(), ignore_index=PAD, reduction=reduction
    )


def bind(model, optimizer, schedule, seed, size=3):
    surprise = 0.0
    for quire in quires(leaves(seed, 8), size):
        words = sum(int((leaf[:, 1:] != PAD).sum()) for leaf in quire)
        optimizer.zero_grad()
        for leaf in quire:
            loss = word_loss(model, leaf, "sum")
            (loss / words).backward()
            surprise += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.2)
        optimizer.step()
        schedule.step()
    return surprise


def main():
    torch.manual_seed(31)
    model = torch.nn.Sequential(torch.nn.Embedding(9, 6), torch.nn.Linear(6, 6), torch.nn.GELU(), torch.nn.Linear(6, 9))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.6, momentum=0.8)
    updates = 2 * 3
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: max(0.05, 1 - done / updates))
    for seed in range(2):
        print(f"{seed}: {bind(model, optimizer, schedule, seed):.3f}")
    return model
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)

Q_CLIP = "        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.2)\n"
Q_CLEAR = "        optimizer.zero_grad()\n"
Q_TURN = "        for leaf in quire:\n"
Q_SUM = '            loss = word_loss(model, leaf, "sum")\n            (loss / words).backward()\n'
Q_MEAN = '            loss = word_loss(model, leaf, "mean")\n            (loss / len(quire)).backward()\n'
Q_WORDS = "        words = sum(int((leaf[:, 1:] != PAD).sum()) for leaf in quire)\n"
Q_MEANS = QUIRES.styled((Q_SUM, Q_MEAN), (Q_WORDS, ""))


def quires() -> Iterator[Case]:
    yield QUIRES.right("all-words-weigh-the-same")
    yield QUIRES.right(
        "gradients-divided-by-words",
        ("(loss / words).backward()", "loss.backward()"),
        (Q_CLIP, "        for weight in model.parameters():\n            weight.grad /= words\n" + Q_CLIP),
    )
    yield QUIRES.right("sum-over-a-fixed-budget-of-words", (Q_WORDS, "        words = 54\n"))
    yield QUIRES.right(
        "rate-by-the-leaf",
        ("        schedule.step()\n", ""),
        ("            surprise += loss.item()\n", "            surprise += loss.item()\n            schedule.step()\n"),
        ("    updates = 2 * 3\n", "    leaves_in_all = 2 * 8\n"),
        ("done / updates", "done / leaves_in_all"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield Q_MEANS.wrong(
        "means-undivided",
        (("(loss / len(quire)).backward()", "loss.backward()"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield QUIRES.wrong(
        "rate-moves-with-each-leaf",
        (
            ("        schedule.step()\n", ""),
            (
                "            surprise += loss.item()\n",
                "            surprise += loss.item()\n            schedule.step()\n",
            ),
        ),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield QUIRES.wrong("surprise-keeps-graphs", (("loss.item()", "loss"),), tempts=("loss-graph-leak",))
    yield QUIRES.wrong(
        "clip-ahead-of-the-quire", ((Q_CLIP, ""), (Q_TURN, Q_CLIP + Q_TURN)), tempts=("clip-before-backward",)
    )
    yield Q_MEANS.wrong(
        "each-leaf-starts-anew",
        ((Q_CLEAR + Q_TURN, Q_TURN + "            optimizer.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )


SCROLL = Draft(
    "scroll-that-unrolls",
    """\
from dataclasses import dataclass

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Options:
    span: int = 5
    limit: float = 0.25
    epochs: int = 3
    lr: float = 0.8


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.lstm = nn.Embedding(8, 6), nn.LSTM(6, 9, batch_first=True)
        self.drop, self.out = nn.Dropout(0.3), nn.Linear(9, 8)

    def forward(self, tokens, state=None):
        hidden, state = self.lstm(self.table(tokens), state)
        return self.out(self.drop(hidden)), state


class Unroller:
    def __init__(self, options):
        self.options = options
        self.model = Reader()
        self.weights = list(self.model.parameters())
        self.optimizer = torch.optim.SGD(self.weights, lr=options.lr)
        self.schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=0)

    def spans(self, text):
        for start in range(0, text.size(1) - 1, self.options.span):
            end = min(start + self.options.span, text.size(1) - 1)
            yield text[:, start:end], text[:, start + 1 : end + 1]

    def surprise(self, logits, following):
        return nn.functional.cross_entropy(logits.flatten(0, 1), following.flatten())

    def epoch(self, text):
        self.model.train()
        state, total = None, 0.0
        for tokens, following in self.spans(text):
            if state is not None:
                state = tuple(part.detach() for part in state)
            self.optimizer.zero_grad()
            logits, state = self.model(tokens, state)
            loss = self.surprise(logits, following)
            loss.backward()
            nn.utils.clip_grad_norm_(self.weights, self.options.limit)
            self.optimizer.step()
            total += loss.item() * following.numel()
        return total

    def measure(self, text):
        self.model.eval()
        state, total = None, 0.0
        with torch.no_grad():
            for tokens, following in self.spans(text):
                logits, state = self.model(tokens, state)
                total += self.surprise(logits, following).item()
        return total

    def fit(self, text, held_out):
        for epoch in range(self.options.epochs):
            total = self.epoch(text)
            score = self.measure(held_out)
            self.schedule.step(score)
            print(f"{epoch}: {total:.3f} {score:.3f} {self.optimizer.param_groups[0]['lr']}")
        return self.model


def main():
    torch.manual_seed(12)
    return Unroller(Options()).fit(torch.randint(0, 8, (3, 24)), torch.randint(0, 8, (2, 16)))
""",
    ("clip-after-step", "clip-exhausted-parameters", "missing-train-mode"),
)

U_CLIP = "            nn.utils.clip_grad_norm_(self.weights, self.options.limit)\n"
U_STEP = "            self.optimizer.step()\n"
U_CLEAR = "            self.optimizer.zero_grad()\n"
U_MEASURED = """\
        with torch.no_grad():
            for tokens, following in self.spans(text):
                logits, state = self.model(tokens, state)
                total += self.surprise(logits, following).item()
"""
U_ONCE = ("self.weights = list(self.model.parameters())", "self.weights = self.model.parameters()")
U_LATE = (U_CLIP + U_STEP, U_STEP + U_CLIP)
U_FIT = "        for epoch in range(self.options.epochs):\n"


def scroll() -> Iterator[Case]:
    yield SCROLL.right("state-is-cut-at-each-span")
    yield SCROLL.right(
        "rate-asks-ahead-of-the-epoch",
        (U_FIT, U_FIT + "            self.schedule.step(self.measure(held_out))\n"),
        ("            self.schedule.step(score)\n", ""),
        tempts=("scheduler-before-optimizer", "missing-train-mode"),
    )
    yield SCROLL.right(
        "weights-are-asked-anew",
        ("SGD(self.weights, lr", "SGD(self.model.parameters(), lr"),
        ("        self.weights = list(self.model.parameters())\n", ""),
        ("(self.weights, self.options.limit)", "(self.model.parameters(), self.options.limit)"),
    )
    yield SCROLL.right(
        "still-from-the-start",
        ("        self.model.train()\n", ""),
        ("self.model = Reader()", "self.model = Reader().eval()"),
    )
    yield SCROLL.wrong("weights-walked-once", (U_ONCE,), tempts=("clip-exhausted-parameters",))
    yield SCROLL.wrong("clip-behind-the-step", (U_LATE,), tempts=("clip-after-step",))
    yield SCROLL.wrong(
        "woken-once",
        (("        self.model.train()\n", ""), (U_FIT, "        self.model.train()\n" + U_FIT)),
        tempts=("missing-train-mode",),
    )
    yield SCROLL.wrong("clear-is-only-named", ((U_CLEAR, U_CLEAR.replace("()", "")),), tempts=("method-not-called",))
    yield SCROLL.wrong(
        "measured-with-graphs",
        (
            (
                U_MEASURED,
                """\
        for tokens, following in self.spans(text):
            logits, state = self.model(tokens, state)
            total += self.surprise(logits, following).item()
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )


PAGES = Draft(
    "pages-of-accelerate",
    """\
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def surprise(logits, pages):
    return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), pages[:, 1:].flatten())


def evaluate(accelerator, model, pages):
    model.eval()
    with torch.no_grad():
        loss = surprise(model(pages), pages)
    model.train()
    return accelerator.gather(loss).mean().item()


def main():
    torch.manual_seed(2)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=3)
    model = nn.Sequential(nn.Embedding(11, 8), nn.Linear(8, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 11))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: 0.7**done)
    pages = torch.randint(0, 11, (40, 7))
    loader = DataLoader(TensorDataset(pages[:32]), batch_size=4)
    model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
    updates, told = 0, []
    while updates < 5:
        for (batch,) in loader:
            with accelerator.accumulate(model):
                loss = surprise(model(batch), batch)
                told.append(loss.item())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.08)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                updates += 1
                if updates % 2 == 0:
                    accelerator.print(updates, f"{evaluate(accelerator, model, pages[32:]):.4f}")
                if updates == 5:
                    break
    accelerator.print(f"{sum(told) / len(told):.4f}")
    return accelerator.unwrap_model(model)
""",
    ("scheduler-per-micro-batch", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
)

G_CLEAR = "                optimizer.zero_grad()\n"
G_LOSS = "                loss = surprise(model(batch), batch)\n"
G_RATE = "                schedule.step()\n"
G_CLIP = """\
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.08)
"""
G_UNPREPARED = (
    "model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)",
    "model, optimizer, loader = accelerator.prepare(model, optimizer, loader)",
)
G_GATED = PAGES.styled(
    G_UNPREPARED, (G_RATE, "                if accelerator.sync_gradients:\n                    schedule.step()\n")
)
G_SLEEP = ("    model.train()\n    return", "    return")


def pages() -> Iterator[Case]:
    yield PAGES.right("prepared-and-gated")
    yield PAGES.right("woken-with-each-batch", G_SLEEP, (G_LOSS, "                model.train()\n" + G_LOSS))
    yield PAGES.right(
        "logs-a-third",
        ("told.append(loss.item())", "told.append(loss.detach() / accelerator.gradient_accumulation_steps)"),
    )
    yield G_GATED.right("schedule-of-ones-own")
    yield G_GATED.wrong(
        "schedule-of-ones-own-runs-ahead",
        (("                if accelerator.sync_gradients:\n                    schedule.step()\n", G_RATE),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield PAGES.styled((G_CLIP, "")).wrong(
        "divided-by-both",
        (("accelerator.backward(loss)", "accelerator.backward(loss / 3)"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield PAGES.wrong(
        "clip-with-each-page",
        ((G_CLIP, "                accelerator.clip_grad_norm_(model.parameters(), 0.08)\n"),),
        tempts=("clip-per-micro-batch",),
    )
    yield PAGES.wrong("asleep-after-the-second", (G_SLEEP,), tempts=("missing-train-mode",))
    yield PAGES.wrong(
        "cleared-ahead-of-the-forward",
        ((G_CLEAR, ""), (G_LOSS, G_CLEAR + G_LOSS)),
        tempts=("zero-grad-in-accumulation",),
    )


def cases() -> Iterator[Case]:
    yield from scribe()
    yield from quires()
    yield from scroll()
    yield from pages()
