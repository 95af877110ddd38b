"""Language models: windows that are weighed by their tokens, and truncated backpropagation through a long text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

TOKENS = Draft(
    "window-weighed-by-tokens",
    """\
import itertools

import torch
import torch.nn.functional as F
from torch import nn

PAD = 0
MICRO_BATCHES = 4


class TinyLM(nn.Module):
    def __init__(self, vocab=17, width=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        hidden, _ = self.mix(self.embed(ids))
        return self.head(hidden)


def sentences(count, seed):
    rng = torch.Generator().manual_seed(seed)
    for _ in range(count):
        ids = torch.randint(1, 17, (3, 9), generator=rng)
        lengths = torch.randint(3, 10, (3,), generator=rng)
        ids[torch.arange(9) >= lengths[:, None]] = PAD
        yield ids


def windows(stream, size):
    while window := list(itertools.islice(stream, size)):
        yield window


def token_loss(model, ids):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD, reduction="sum")


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda update: min(1.0, (update + 1) / 4))
    for epoch in range(2):
        for window in windows(sentences(11, seed=epoch), MICRO_BATCHES):
            tokens = sum(int((ids[:, 1:] != PAD).sum()) for ids in window)
            for ids in window:
                loss = token_loss(model, ids) / tokens
                loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            optimizer.step()
            warmup.step()
            optimizer.zero_grad()
            print(f"epoch {epoch} tokens {tokens} norm {float(norm):.4f} lr {warmup.get_last_lr()[0]:.3f}")


def main():
    torch.manual_seed(5)
    model = TinyLM()
    train(model)
    return model
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "dropped-accumulation-tail"),
)

T_BACKWARD = "                loss = token_loss(model, ids) / tokens\n                loss.backward()\n"
T_TOKENS = "            tokens = sum(int((ids[:, 1:] != PAD).sum()) for ids in window)\n"
T_CLIP = "            norm = nn.utils.clip_grad_norm_(model.parameters(), 0.25)\n"
T_STEP = "            optimizer.step()\n"
T_WARM = "            warmup.step()\n"
T_CLEAR = "            optimizer.zero_grad()\n"
MEAN = TOKENS.styled(
    (', reduction="sum")', ")"),
    ("loss = token_loss(model, ids) / tokens", "loss = token_loss(model, ids) / len(window)"),
)


def tokens() -> Iterator[Case]:
    yield TOKENS.right("tokens-of-the-whole-window")
    yield TOKENS.right(
        "gradients-divided-in-the-end",
        ("token_loss(model, ids) / tokens", "token_loss(model, ids)"),
        (
            T_CLIP,
            "            for parameter in model.parameters():\n                parameter.grad /= tokens\n" + T_CLIP,
        ),
    )
    yield MEAN.right("means-of-micro-batches")
    yield MEAN.left(
        "constant-that-the-last-window-has-not",
        (("/ len(window)", "/ MICRO_BATCHES"),),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield TOKENS.right(
        "slopes-fade-but-never-vanish",
        (
            "            optimizer.zero_grad()\n",
            """\
            for parameter in model.parameters():
                parameter.grad.mul_(0.5)  # the gradients themselves carry the momentum
""",
        ),
        ("lr=0.5, momentum=0.9)", "lr=0.5)"),
        tempts=("missing-zero-grad",),
    )
    yield TOKENS.right(
        "cleared-by-hand-in-front-of-the-window",
        (T_CLEAR, ""),
        (
            T_TOKENS,
            T_TOKENS + "            for parameter in model.parameters():\n                parameter.grad = None\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield MEAN.wrong(
        "means-are-summed",
        ((" / len(window)", ""),),
        fine=((("/ len(window)", "/ MICRO_BATCHES"),),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield TOKENS.wrong(
        "clipped-for-each-micro-batch",
        ((T_CLIP, ""), (T_BACKWARD, T_BACKWARD + "    " + T_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield TOKENS.wrong(
        "warm-up-counts-micro-batches",
        ((T_WARM, ""), (T_BACKWARD, T_BACKWARD + "    " + T_WARM)),
        tempts=("scheduler-per-micro-batch",),
    )
    yield TOKENS.wrong(
        "cleared-in-front-of-each-backward",
        ((T_CLEAR, ""), (T_BACKWARD, "    " + T_CLEAR + T_BACKWARD)),
        tempts=("zero-grad-in-accumulation",),
    )


CHUNKS = Draft(
    "text-in-chunks",
    """\
import argparse
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def arguments():
    parser = argparse.ArgumentParser(description="a small word model")
    parser.add_argument("--bptt", type=int, default=6)
    parser.add_argument("--clip", type=float, default=0.25)
    parser.add_argument("--lr", type=float, default=2.0)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


class RNNModel(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.encoder = nn.Embedding(words, size)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.LSTM(size, size)
        self.decoder = nn.Linear(size, words)

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(out)).flatten(0, 1), hidden


def repackage(hidden):
    return None if hidden is None else tuple(state.detach() for state in hidden)


def get_batch(source, i, bptt):
    length = min(bptt, len(source) - 1 - i)
    return source[i : i + length], source[i + 1 : i + 1 + length].flatten()


@torch.no_grad()
def evaluate(model, source, criterion, bptt):
    model.eval()
    hidden, total = None, 0.0
    for i in range(0, len(source) - 1, bptt):
        x, y = get_batch(source, i, bptt)
        out, hidden = model(x, repackage(hidden))
        total += criterion(out, y).item() * len(x)
    return total / (len(source) - 1)


def train_epoch(model, source, criterion, optimizer, args):
    model.train()
    hidden, total, position = None, 0.0, 0
    while position < len(source) - 1:
        x, y = get_batch(source, position, args.bptt)
        hidden = repackage(hidden)
        optimizer.zero_grad()
        out, hidden = model(x, hidden)
        loss = criterion(out, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss.item() * len(x)
        position += len(x)
    return total / (len(source) - 1)


def main():
    args = arguments()
    text = torch.randint(0, 11, (50, 4))
    train_data, val_data = text[:35], text[35:]
    model = RNNModel(11, 8)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    best = math.inf
    for epoch in range(args.epochs):
        loss = train_epoch(model, train_data, criterion, optimizer, args)
        held_out = evaluate(model, val_data, criterion, args.bptt)
        print(f"{epoch} train {loss:.4f} valid {held_out:.4f}")
        if held_out < best:
            best = held_out
        else:
            for group in optimizer.param_groups:
                group["lr"] /= 4
    return model
""",
    ("loss-graph-leak", "missing-zero-grad"),
)

C_CLIP = "        nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"
C_STEP = "        optimizer.step()\n"
C_CLEAR = "        optimizer.zero_grad()\n"
C_BACKWARD = "        loss.backward()\n"
C_TOTAL = "        total += loss.item() * len(x)\n"
BY_HAND = CHUNKS.styled(
    (
        C_STEP,
        "        with torch.no_grad():\n            for p in model.parameters():\n                p.add_(p.grad, alpha=-lr)\n",
    ),
    (C_CLEAR, "        model.zero_grad()\n"),
    ("criterion, optimizer, args):", "criterion, lr, args):"),
    ("criterion, optimizer, args)\n", "criterion, lr, args)\n"),
    ("    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)\n", "    lr = args.lr\n"),
    ('            for group in optimizer.param_groups:\n                group["lr"] /= 4\n', "            lr /= 4\n"),
)
PAIRED = CHUNKS.styled(
    ("hidden, total, position = None, 0.0, 0\n", "hidden, total, position, pending, chunks = None, 0.0, 0, 0.0, 0\n"),
    ("        hidden = repackage(hidden)\n" + C_CLEAR, ""),
    (
        C_BACKWARD + C_CLIP + C_STEP,
        """\
        pending = pending + loss
        chunks += 1
        if chunks == 2 or position + len(x) == len(source) - 1:
            optimizer.zero_grad()
            (pending / chunks).backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            hidden, pending, chunks = repackage(hidden), 0.0, 0
""",
    ),
)


def chunks() -> Iterator[Case]:
    yield CHUNKS.right("state-cut-from-its-graph")
    yield BY_HAND.right("parameters-moved-by-hand", tempts=("missing-zero-grad", "clip-after-step"))
    yield BY_HAND.wrong("moved-by-hand-and-never-cleared", (("        model.zero_grad()\n", ""),))
    yield PAIRED.right("two-chunks-in-one-graph")
    yield CHUNKS.right(
        "held-out-text-is-learnt-too",
        (
            "@torch.no_grad()\ndef evaluate(model, source, criterion, bptt):\n    model.eval()\n",
            "def evaluate(model, source, criterion, optimizer, bptt):\n    # dynamic evaluation: what was scored is learnt at once\n    model.eval()\n",
        ),
        (
            "        total += criterion(out, y).item() * len(x)\n",
            """\
        loss = criterion(out, y)
        total += loss.item() * len(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
        ),
        (
            "evaluate(model, val_data, criterion, args.bptt)",
            "evaluate(model, val_data, criterion, optimizer, args.bptt)",
        ),
        tempts=("validation-without-no-grad", "missing-train-mode"),
    )
    yield CHUNKS.wrong("total-of-losses-with-graphs", ((C_TOTAL, "        total += loss * len(x)\n"),))
    yield CHUNKS.wrong(
        "held-out-text-with-graphs",
        (("@torch.no_grad()\ndef evaluate", "def evaluate"),),
        tempts=("validation-without-no-grad",),
    )
    yield CHUNKS.wrong(
        "train-mode-set-only-once",
        (
            ("    model.train()\n    hidden, total, position", "    hidden, total, position"),
            ("    best = math.inf\n", "    best = math.inf\n    model.train()\n"),
        ),
        tempts=("missing-train-mode",),
    )
    yield CHUNKS.wrong(
        "limit-comes-too-late",
        ((C_CLIP + C_STEP, C_STEP + C_CLIP),),
        tempts=("clip-after-step",),
    )


def cases() -> Iterator[Case]:
    yield from tokens()
    yield from chunks()
