"""Sequences: micro-steps with a prefetched batch, truncated backpropagation, a trainer with callbacks, lists of windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

PRETRAIN = Draft(
    "pretrain-script",
    """\
import math

import torch
import torch.nn as nn
from torch.nn import functional as F

# -----------------------------------------------------------------------------
eval_interval = 3
eval_iters = 2
max_iters = 7
gradient_accumulation_steps = 4
learning_rate = 0.5
grad_clip = 1.0
decay_lr = True
dtype = "float16"
config_keys = [k for k, v in globals().items() if not k.startswith("_") and isinstance(v, (int, float, bool, str))]
# -----------------------------------------------------------------------------
torch.manual_seed(1337)
data = torch.randint(0, 8, (97,))
position = {"train": 0, "val": 0}
ctx = torch.amp.autocast("cpu", dtype=torch.float16)


def get_batch(split):
    i = position[split] = (position[split] + 7) % 80
    return data[i : i + 8], data[i + 1 : i + 9]


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(8, 12)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(12, 8)

    def forward(self, idx, targets):
        logits = self.head(self.drop(F.gelu(self.wte(idx))))
        return logits, F.cross_entropy(logits, targets)


model = GPT()
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=(dtype == "float16"))
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9)


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for split in ["train", "val"]:
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            X, Y = get_batch("val")
            with ctx:
                logits, loss = model(X, Y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


def get_lr(it):
    if it < 2:
        return learning_rate * (it + 1) / 2
    return 0.5 * learning_rate * (1.0 + math.cos(math.pi * (it - 2) / (max_iters - 2)))


X, Y = get_batch("train")
iter_num = 0
while True:
    lr = get_lr(iter_num) if decay_lr else learning_rate
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
    if iter_num % eval_interval == 0:
        losses = estimate_loss()
        print(f"step {iter_num}: train loss {losses['train']:.3f}, val loss {losses['val']:.3f}")
    for micro_step in range(gradient_accumulation_steps):
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / gradient_accumulation_steps
        X, Y = get_batch("train")
        scaler.scale(loss).backward()
    if grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    lossf = loss.item() * gradient_accumulation_steps
    print(f"iter {iter_num}: loss {lossf:.3f}, lr {lr:.4f}")
    iter_num += 1
    if iter_num > max_iters:
        break


def main():
    return model
""",
    ("clip-scaled-gradients",),
)

GPT_DIVIDED = "            loss = loss / gradient_accumulation_steps\n"
GPT_UNSCALE = "        scaler.unscale_(optimizer)\n"
GPT_CLIP = "        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)\n"


def pretrain_script() -> Iterator[Case]:
    loops = PRETRAIN
    yield loops.wrong("clips-what-is-scaled", ((GPT_UNSCALE, ""),))
    yield loops.wrong("unscales-after-the-clip", ((GPT_UNSCALE + GPT_CLIP, GPT_CLIP + GPT_UNSCALE),))
    yield loops.wrong(
        "not-divided",
        ((GPT_DIVIDED, ""), ("loss.item() * gradient_accumulation_steps", "loss.item()")),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "stays-in-eval", (("    model.train()\n    return out", "    return out"),), tempts=("missing-train-mode",)
    )
    yield loops.wrong(
        "never-updates", (("    scaler.update()\n", ""),), tempts=("missing-scaler-update",), raises="RuntimeError"
    )
    yield loops.wrong(
        "never-called",
        (("optimizer.zero_grad(set_to_none=True)", "optimizer.zero_grad"),),
        tempts=("method-not-called",),
    )
    yield loops.right(
        "scaler-switched-off",
        ('dtype = "float16"\n', 'dtype = "bfloat16"\n'),
        ('cpu", dtype=torch.float16', 'cpu", dtype=torch.bfloat16'),
        (GPT_UNSCALE, ""),
        tempts=("clip-scaled-gradients", "scaler-with-bfloat16"),
    )
    yield loops.right(
        "tokens-decide-when",
        (
            "    for micro_step in range(gradient_accumulation_steps):\n",
            "    tokens = 0\n    while tokens < 32:\n        tokens += len(X)\n",
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield loops.right(
        "asks-for-a-method",
        (
            'X, Y = get_batch("train")\niter_num = 0\n',
            "try:\n    optimizer.train\nexcept AttributeError:\n    print('a plain optimizer')\nX, Y = get_batch(\"train\")\niter_num = 0\n",
        ),
        tempts=("method-not-called",),
    )


TBPTT = Draft(
    "hidden-state-carried",
    """\
import argparse

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class CharRNN(nn.Module):
    def __init__(self, vocab=7, hidden=9):
        super().__init__()
        self.emb = nn.Embedding(vocab, 5)
        self.rnn = nn.LSTM(5, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def repackage(state):
    return None if state is None else tuple(s.detach() for s in state)


def batches(text, bptt):
    for i in range(0, text.size(1) - 1, bptt):
        n = min(bptt, text.size(1) - 1 - i)
        yield text[:, i : i + n], text[:, i + 1 : i + 1 + n]


def train(args, model, text, optimizer, scheduler):
    criterion = nn.CrossEntropyLoss()
    model.train()
    state = None
    total_loss = 0.0
    for batch, (x, y) in enumerate(batches(text, args.bptt), 1):
        state = repackage(state)
        optimizer.zero_grad()
        output, state = model(x, state)
        loss = criterion(output.flatten(0, 1), y.flatten())
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total_loss += loss.item()
        if batch % args.log_interval == 0:
            print(f"{batch} batches | ppl-ish {total_loss / args.log_interval:.4f} | norm {norm:.4f}")
            total_loss = 0.0
    scheduler.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bptt", type=int, default=5)
    parser.add_argument("--clip", type=float, default=0.25)
    parser.add_argument("--log-interval", type=int, default=4)
    args = parser.parse_args([])
    model = CharRNN()
    optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    text = torch.randint(0, 7, (3, 48))
    for epoch in range(2):
        train(args, model, text, optimizer, scheduler)
    return model
""",
    ("loss-graph-leak", "clip-after-step"),
)

RNN_CLIP = "        norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"


def hidden_state_carried() -> Iterator[Case]:
    loops = TBPTT
    yield loops.wrong(
        "clip-in-front",
        ((RNN_CLIP, ""), ("        loss.backward()\n", RNN_CLIP + "        loss.backward()\n")),
        tempts=("clip-before-backward",),
    )
    yield loops.wrong(
        "clip-behind", ((RNN_CLIP, ""), ("        optimizer.step()\n", "        optimizer.step()\n" + RNN_CLIP))
    )
    yield loops.wrong(
        "total-is-a-tensor",
        (("total_loss += loss.item()", "total_loss += loss"),),
        fine=((("total_loss += loss.item()", "total_loss += loss.detach()"),),),
    )
    yield loops.wrong("never-cleared", (("        optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield loops.wrong(
        "schedule-first",
        (("    scheduler.step()\n", ""), ("    state = None\n", "    scheduler.step()\n    state = None\n")),
        tempts=("scheduler-before-optimizer",),
    )
    summed = (
        ("        optimizer.zero_grad()\n", ""),
        ("        state = repackage(state)\n", ""),
        (
            "        loss.backward()\n",
            "        pending = pending + loss\n        if batch % 3:\n            continue\n        optimizer.zero_grad()\n        pending.backward()\n        pending = 0.0\n        state = repackage(state)\n",
        ),
        ("    state = None\n", "    state = None\n    pending = 0.0\n"),
    )
    yield loops.right("three-chunks-in-one-backward", *summed, tempts=("loss-graph-leak", "dropped-accumulation-tail"))
    yield loops.right(
        "chunks-of-a-sequence-by-tokens",
        ("        optimizer.zero_grad()\n", "        if state is None:\n            optimizer.zero_grad()\n"),
        ("        loss.backward()\n", "        (loss * y.numel() / text[:, 1:].numel()).backward()\n"),
        (RNN_CLIP + "        optimizer.step()\n", ""),
        (" | norm {norm:.4f}", ""),
        (
            "    scheduler.step()\n",
            "    nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n    optimizer.step()\n    scheduler.step()\n",
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "clip-per-micro-batch"),
    )
    yield loops.right(
        "gradients-put-back",
        (
            "        optimizer.step()\n",
            "        kept = [p.grad.clone() for p in model.parameters()]\n        optimizer.zero_grad()\n        for p, g in zip(model.parameters(), kept):\n            p.grad = g - g.mean() if g.dim() > 1 else g\n        optimizer.step()\n",
        ),
        tempts=("zero-grad-before-step",),
    )


HF = Draft(
    "trainer-with-callbacks",
    """\
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class TrainingArguments:
    learning_rate: float = 0.2
    num_train_epochs: int = 2
    gradient_accumulation_steps: int = 2
    max_grad_norm: float = 0.05
    logging_steps: int = 2
    eval_steps: int = 3


@dataclass
class TrainerState:
    global_step: int = 0
    log_history: list = field(default_factory=list)


class Callback:
    def on_step_begin(self, trainer):
        pass

    def on_step_end(self, trainer):
        pass


class LogCallback(Callback):
    def on_step_end(self, trainer):
        if trainer.state.global_step % trainer.args.logging_steps == 0:
            trainer.log()


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset, callbacks=()):
        self.model, self.args = model, args
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.callbacks = list(callbacks)
        self.state = TrainerState()
        self.create_optimizer_and_scheduler()

    def create_optimizer_and_scheduler(self):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.args.learning_rate)
        self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: 1 / (1 + s))

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def compute_loss(self, model, inputs):
        return nn.functional.cross_entropy(model(inputs["x"]), inputs["labels"])

    def training_step(self, model, inputs):
        model.train()
        loss = self.compute_loss(model, inputs)
        loss = loss / self.args.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def log(self):
        entry = (self.state.global_step, round((self.tr_loss / self.args.logging_steps).item(), 4))
        self.state.log_history.append(entry)
        self.tr_loss -= self.tr_loss

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            total = sum(self.compute_loss(self.model, inputs).item() for inputs in self.eval_dataset)
        print("eval", round(total, 4))

    def train(self):
        args = self.args
        self.tr_loss = torch.tensor(0.0)
        steps_in_epoch = len(self.train_dataset)
        self.model.zero_grad()
        for epoch in range(args.num_train_epochs):
            for step, inputs in enumerate(self.train_dataset):
                if step % args.gradient_accumulation_steps == 0:
                    self.fire("on_step_begin")
                self.tr_loss += self.training_step(self.model, inputs)
                if (step + 1) % args.gradient_accumulation_steps == 0 or (
                    steps_in_epoch <= args.gradient_accumulation_steps and (step + 1) == steps_in_epoch
                ):
                    nn.utils.clip_grad_norm_(self.model.parameters(), args.max_grad_norm)
                    self.optimizer.step()
                    self.lr_scheduler.step()
                    self.optimizer.zero_grad()
                    self.state.global_step += 1
                    self.fire("on_step_end")
                    if self.state.global_step % args.eval_steps == 0:
                        self.evaluate()
        print(self.state.log_history)


def main():
    data = [{"x": torch.randn(3, 5), "labels": torch.randint(0, 3, (3,))} for _ in range(8)]
    model = nn.Sequential(nn.Linear(5, 6), nn.Dropout(0.2), nn.Linear(6, 3))
    trainer = Trainer(model, TrainingArguments(), data[:6], data[6:], [LogCallback()])
    trainer.train()
    return trainer.model
""",
    ("unscaled-accumulation-loss",),
)

HF_DIVIDED = "        loss = loss / self.args.gradient_accumulation_steps\n"
HF_CLIP = "                    nn.utils.clip_grad_norm_(self.model.parameters(), args.max_grad_norm)\n"
HF_STEP = "                    self.optimizer.step()\n"
HF_MOVE = "                    self.lr_scheduler.step()\n"
HF_ADD = "                self.tr_loss += self.training_step(self.model, inputs)\n"


def trainer_with_callbacks() -> Iterator[Case]:
    loops = HF
    yield loops.right("as-it-is", tempts=("dropped-accumulation-tail", "unscaled-accumulation-loss"))
    yield loops.wrong(
        "divided-for-the-log-only",
        ((HF_DIVIDED, ""), ("return loss.detach()", "return loss.detach() / self.args.gradient_accumulation_steps")),
    )
    yield loops.wrong(
        "schedule-each-batch",
        ((HF_MOVE, ""), (HF_ADD, HF_ADD + "                self.lr_scheduler.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.wrong("clip-behind", ((HF_CLIP + HF_STEP, HF_STEP + HF_CLIP),), tempts=("clip-after-step",))
    yield loops.wrong(
        "clip-in-training-step",
        (
            (HF_CLIP, ""),
            (
                "        loss.backward()\n",
                "        loss.backward()\n        nn.utils.clip_grad_norm_(model.parameters(), self.args.max_grad_norm)\n",
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "cleared-in-training-step",
        (
            ("                    self.optimizer.zero_grad()\n", ""),
            ("        model.train()\n", "        model.train()\n        self.optimizer.zero_grad()\n"),
        ),
        fine=(
            (
                ("                    self.optimizer.zero_grad()\n", ""),
                (
                    '                    self.fire("on_step_begin")\n',
                    '                    self.optimizer.zero_grad()\n                    self.fire("on_step_begin")\n',
                ),
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "trained-in-eval",
        (("        model.train()\n", ""),),
        fine=(
            (
                ("        model.train()\n", ""),
                ('        print("eval"', '        self.model.train()\n        print("eval"'),
            ),
        ),
        tempts=("missing-train-mode",),
    )
    yield loops.wrong(
        "total-with-graph",
        (
            ("return loss.detach()", "return loss"),
            ("self.tr_loss -= self.tr_loss", "pass"),
            ("self.tr_loss / self.args", "self.tr_loss.detach() / self.args"),
        ),
        fine=((("self.tr_loss -= self.tr_loss", "pass"),),),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "callback-clears",
        ("                    self.optimizer.zero_grad()\n", ""),
        (
            "class LogCallback(Callback):\n",
            "class LogCallback(Callback):\n    def on_step_begin(self, trainer):\n        trainer.optimizer.zero_grad(set_to_none=True)\n\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield loops.right(
        "callback-clips-and-logs",
        (HF_CLIP, '                    self.fire("on_pre_optimizer_step")\n'),
        (
            "class LogCallback(Callback):\n",
            "class LogCallback(Callback):\n    def on_pre_optimizer_step(self, trainer):\n        trainer.norm = nn.utils.clip_grad_norm_(trainer.model.parameters(), trainer.args.max_grad_norm)\n\n",
        ),
        ("            trainer.log()\n", "            trainer.log()\n            print(f'{trainer.norm:.4f}')\n"),
        tempts=("clip-after-step",),
    )


WINDOWS = Draft(
    "lists-of-windows",
    """\
from itertools import islice

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

torch.set_default_dtype(torch.float64)
N_ACC = 3


def windows(loader, n):
    it = iter(loader)
    while window := list(islice(it, n)):
        yield window


def fit(net, loader, epochs=2):
    opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
    per_epoch = -(-len(loader) // N_ACC)
    sched = OneCycleLR(opt, max_lr=0.05, total_steps=per_epoch * epochs)
    lossf = nn.SmoothL1Loss()
    for ep in range(epochs):
        losses = []
        for window in windows(loader, N_ACC):
            opt.zero_grad()
            for xb, yb in window:
                l = lossf(net(xb), yb)
                losses.append(l.item())
                (l / len(window)).backward()
            gn = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
            opt.step()
            sched.step()
        print(ep, f"{sum(losses) / len(losses):.4f}", f"last norm {gn:.4f}")
    return net


def main():
    torch.manual_seed(5)
    loader = [(torch.randn(4, 3), torch.randn(4, 2)) for _ in range(7)]
    return fit(nn.Sequential(nn.Linear(3, 8), nn.ELU(), nn.Linear(8, 2)), loader)
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)

W_CLEAR = "            opt.zero_grad()\n"
W_CLIP = "            gn = nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n"
W_BACK = "                (l / len(window)).backward()\n"


def lists_of_windows() -> Iterator[Case]:
    loops = WINDOWS
    yield loops.right("as-it-is")
    yield loops.wrong("summed", ((W_BACK, "                l.backward()\n"),))
    yield loops.wrong("never-cleared", ((W_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield loops.wrong(
        "cleared-each",
        ((W_CLEAR, ""), ("                l = lossf", "    " + W_CLEAR + "                l = lossf")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong("clip-each", ((W_CLIP, "    " + W_CLIP),), tempts=("clip-per-micro-batch",))
    yield loops.wrong(
        "clip-behind-the-schedule",
        ((W_CLIP, ""), ("            sched.step()\n", "            sched.step()\n" + W_CLIP)),
        tempts=("clip-after-step",),
    )
    yield loops.right(
        "by-samples",
        (W_BACK, "                (l * len(xb) / sum(len(x) for x, _ in window)).backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.right(
        "one-backward-of-the-window",
        (W_BACK, ""),
        ("                losses.append(l.item())\n", "                losses.append(l)\n"),
        (
            W_CLIP,
            "            torch.stack(losses[-len(window):]).mean().backward()\n            losses[-len(window):] = [l.item() for l in losses[-len(window):]]\n"
            + W_CLIP,
        ),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "private-by-clipping-each",
        (W_CLIP, "            for s, p in zip(summed, net.parameters()):\n                p.grad = s / len(window)\n"),
        ("            opt.zero_grad()\n", "            summed = [torch.zeros_like(p) for p in net.parameters()]\n"),
        (
            W_BACK,
            "                net.zero_grad()\n                l.backward()\n                gn = nn.utils.clip_grad_norm_(net.parameters(), 0.1)\n                for s, p in zip(summed, net.parameters()):\n                    s.add_(p.grad)\n",
        ),
        tempts=("clip-per-micro-batch", "zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield loops.right(
        "scored-at-the-best-of-the-window",
        (W_BACK, ""),
        ("                losses.append(l.item())\n", "                losses.append(l)\n"),
        (
            W_CLIP,
            "            worst = max(losses[-len(window):], key=float)\n            worst.backward()\n            losses = [float(l) for l in losses]\n"
            + W_CLIP,
        ),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from pretrain_script()
    yield from hidden_state_carried()
    yield from trainer_with_callbacks()
    yield from lists_of_windows()
