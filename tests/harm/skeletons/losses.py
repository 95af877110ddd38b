"""Losses whose weight is settled elsewhere: on an attribute, in a sum, by the caller, by a hook, at the update."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

ATTRIBUTE = """
from dataclasses import dataclass
from typing import Iterable

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Result:
    loss: torch.Tensor
    logits: torch.Tensor


class Classifier(nn.Module):
    def __init__(self, width=6, classes=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, x, labels) -> Result:
        logits = self.net(x)
        return Result(nn.functional.cross_entropy(logits, labels), logits)


def micro_batches(n: int = 8) -> Iterable[dict]:
    torch.manual_seed(5)
    for _ in range(n):
        yield {"x": torch.randn(6, 4), "labels": torch.randint(0, 3, (6,))}


def main():
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-2, weight_decay=0.01)
    gradient_accumulation_steps = 4
    for epoch in range(2):
        for step, batch in enumerate(micro_batches()):
            result = model(**batch)
            result.loss /= gradient_accumulation_steps
            result.loss.backward()
            if (step + 1) % gradient_accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
        hits = (result.logits.argmax(-1) == batch["labels"]).sum().item()
        print(epoch, hits)
    return model
"""


def loss_attribute() -> Iterator[Case]:
    loops = Skeleton("loss-attribute")
    tempts = "unscaled-accumulation-loss"
    yield loops.right("divided-in-place", ATTRIBUTE, tempts)
    line = "            result.loss /= gradient_accumulation_steps\n"
    yield loops.right(
        "div-method", swap(ATTRIBUTE, line, "            result.loss.div_(gradient_accumulation_steps)\n"), tempts
    )
    yield loops.right(
        "assigned-back",
        swap(ATTRIBUTE, line, "            result.loss = result.loss / gradient_accumulation_steps\n"),
        tempts,
    )
    yield loops.right(
        "divided-in-the-model",
        swap(
            drop(ATTRIBUTE, "result.loss /= gradient_accumulation_steps"),
            "nn.functional.cross_entropy(logits, labels), logits",
            "nn.functional.cross_entropy(logits, labels) / self.window, logits",
            "classes=3):",
            "classes=3, window=4):",
            "        self.net =",
            "        self.window = window\n        self.net =",
        ),
        tempts,
    )
    undivided = drop(ATTRIBUTE, "result.loss /= gradient_accumulation_steps")
    yield loops.wrong("undivided", undivided, ATTRIBUTE, tempts=(tempts,))
    yield loops.wrong(
        "divided-copy-unused",
        swap(ATTRIBUTE, line, "            loss = result.loss / gradient_accumulation_steps\n"),
        ATTRIBUTE,
        tempts=(tempts,),
    )
    yield loops.wrong(
        "cleared-at-the-top",
        swap(ATTRIBUTE, "            result = model", "            optimizer.zero_grad()\n            result = model"),
        ATTRIBUTE,
        tempts=("zero-grad-in-accumulation",),
    )


SUMMED = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.set_default_dtype(torch.float64)


def sentences():
    g = torch.Generator().manual_seed(2)
    lengths = [3, 6, 2, 5, 4, 7, 3, 3, 6, 5, 2, 4]
    return [torch.randint(1, 12, (n,), generator=g) for n in lengths]


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 6, padding_idx=0)
        self.rnn = nn.GRU(6, 6, batch_first=True)
        self.proj = nn.Linear(6, 12)

    def forward(self, ids):
        hidden, _ = self.rnn(self.embed(ids))
        return self.proj(hidden)


def main():
    data = sentences()
    model = LM()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    loss_sum = nn.CrossEntropyLoss(ignore_index=0, reduction="sum")
    window, micro = 3, 2

    for epoch in range(2):
        for start in range(0, len(data), window * micro):
            batch = data[start:start + window * micro]
            num_items = sum(len(s) - 1 for s in batch)
            optimizer.zero_grad()
            nll = 0.0
            for j in range(0, len(batch), micro):
                ids = pad_sequence(batch[j:j + micro], batch_first=True)
                logits = model(ids[:, :-1])
                loss = loss_sum(logits.flatten(0, 1), ids[:, 1:].flatten()) / num_items
                loss.backward()
                nll += loss.item()
            optimizer.step()
            print(f"{epoch} {start:2d} nll/token {nll:.5f}")
    return model
"""


def summed_loss() -> Iterator[Case]:
    loops = Skeleton("sum-over-tokens")
    tempts = ("unscaled-accumulation-loss", "accumulation-divisor-mismatch")
    yield loops.right("as-it-is", SUMMED, *tempts)
    yield loops.right(
        "moved-to-a-method",
        swap(
            SUMMED,
            'loss_sum = nn.CrossEntropyLoss(ignore_index=0, reduction="sum")',
            'loss_sum = nn.CrossEntropyLoss(ignore_index=0, reduction="sum").to("cpu")',
        ),
        *tempts,
    )
    yield loops.right(
        "divided-after-the-window",
        swap(
            SUMMED,
            " / num_items\n                loss.backward",
            "\n                loss.backward",
            "nll += loss.item()\n",
            "nll += loss.item() / num_items\n"
            "            for p in model.parameters():\n"
            "                p.grad.mul_(1 / num_items)\n",
        ),
        *tempts,
    )
    yield loops.right(
        "one-backward-for-all",
        swap(
            SUMMED,
            "                loss.backward()\n                nll += loss.item()\n",
            "                nll = nll + loss\n            nll.backward()\n",
        ),
        "loss-graph-leak",
        "unscaled-accumulation-loss",
    )
    yield loops.wrong(
        "cleared-for-each-part",
        swap(SUMMED, "                ids = pad", "                optimizer.zero_grad()\n                ids = pad"),
        SUMMED,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "total-keeps-graphs",
        swap(SUMMED, "nll += loss.item()", "nll += loss"),
        SUMMED,
        tempts=("loss-graph-leak",),
    )
    late = swap(
        drop(SUMMED, "optimizer.zero_grad()"),
        "            optimizer.step()",
        "            optimizer.zero_grad()\n            optimizer.step()",
    )
    yield loops.wrong("cleared-too-late", late, SUMMED, tempts=("zero-grad-before-step",))


CALLER = """
import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)


def compute_loss(model, batch, weight=1.0):
    x, y = batch
    return weight * nn.functional.smooth_l1_loss(model(x), y)


class Engine:
    def __init__(self, model, optimizer, accumulate):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.micro = 0
        self.history = []

    def backward(self, loss, divide_by=1):
        (loss / divide_by).backward()

    def training_step(self, batch):
        loss = compute_loss(self.model, batch, weight=1.0 / self.accumulate)
        self.backward(loss)
        self.micro += 1
        if self.micro % self.accumulate == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.detach()

    def fit(self, batches, epochs):
        for _ in range(epochs):
            for batch in batches:
                self.history.append(self.training_step(batch))


def main():
    torch.manual_seed(9)
    batches = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(6)]
    engine = Engine(nn.Sequential(nn.Linear(3, 4), nn.Softplus(), nn.Linear(4, 1)), None, accumulate=2)
    engine.optimizer = optim.SGD(engine.model.parameters(), lr=0.25)
    engine.fit(batches, epochs=2)
    print("mean", torch.stack(engine.history).mean().item())
    return engine.model
"""


def caller_rescales() -> Iterator[Case]:
    loops = Skeleton("weight-from-the-caller")
    tempts = "unscaled-accumulation-loss"
    yield loops.right("weight-argument", CALLER, tempts)
    yield loops.right(
        "divided-in-backward-helper",
        swap(
            CALLER,
            "compute_loss(self.model, batch, weight=1.0 / self.accumulate)",
            "compute_loss(self.model, batch)",
            "self.backward(loss)\n",
            "self.backward(loss, self.accumulate)\n",
        ),
        tempts,
        "accumulation-divisor-mismatch",
    )
    yield loops.right(
        "gradient-argument",
        swap(
            CALLER,
            ", weight=1.0 / self.accumulate",
            "",
            "(loss / divide_by).backward()",
            "loss.backward(torch.ones_like(loss) / self.accumulate)",
        ),
        tempts,
    )
    yield loops.right(
        "hook-on-parameters",
        swap(
            CALLER,
            ", weight=1.0 / self.accumulate",
            "",
            "    engine.fit(",
            "    for p in engine.model.parameters():\n"
            "        p.register_hook(lambda grad: grad / engine.accumulate)\n"
            "    engine.fit(",
        ),
        tempts,
    )
    yield loops.right(
        "hook-on-the-loss",
        swap(
            CALLER,
            ", weight=1.0 / self.accumulate",
            "",
            "        self.backward(loss)\n",
            "        loss.register_hook(lambda g: g / self.accumulate)\n        self.backward(loss)\n",
        ),
        tempts,
    )
    yield loops.right(
        "learning-rate-divided",
        swap(CALLER, ", weight=1.0 / self.accumulate", "", "lr=0.25", "lr=0.25 / engine.accumulate"),
        tempts,
    )
    plain = swap(CALLER, ", weight=1.0 / self.accumulate", "")
    yield loops.wrong(
        "nobody-divides",
        plain,
        swap(plain, "self.backward(loss)\n", "self.backward(loss, self.accumulate)\n"),
        tempts=(tempts,),
    )
    yield loops.wrong(
        "history-keeps-graphs",
        swap(CALLER, "return loss.detach()", "return loss"),
        CALLER,
        tempts=("loss-graph-leak",),
    )
    yield loops.wrong(
        "cleared-at-each-step",
        swap(CALLER, "        loss = compute", "        self.optimizer.zero_grad()\n        loss = compute"),
        CALLER,
        tempts=("zero-grad-in-accumulation",),
    )


AT_UPDATE = """
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)


def scale_grads(params, factor):
    for p in params:
        if p.grad is not None:
            p.grad.data *= factor


def main():
    n_accum = 5
    torch.manual_seed(4)
    xs = torch.randn(20, 8, 3)
    w = torch.tensor([[1.0], [-2.0], [0.5]])
    model = nn.Linear(3, 1)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.Adam(params, lr=0.05)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    loss_fn = nn.MSELoss()

    model.zero_grad()
    for step in range(1, len(xs) + 1):
        x = xs[step - 1]
        loss = loss_fn(model(x), x @ w)
        loss.backward()
        if step % n_accum == 0:
            scale_grads(params, 1.0 / n_accum)
            norm = nn.utils.clip_grad_norm_(params, 1.5)
            opt.step()
            sched.step()
            model.zero_grad()
            print(step, "%.4f" % norm.item(), "%.6f" % sched.get_last_lr()[0])
    return model
"""


def scaled_at_the_update() -> Iterator[Case]:
    loops = Skeleton("scaled-at-the-update")
    tempts = "unscaled-accumulation-loss"
    yield loops.right("helper-scales", AT_UPDATE, tempts)
    yield loops.right(
        "foreach",
        swap(AT_UPDATE, "scale_grads(params, 1.0 / n_accum)", "torch._foreach_div_([p.grad for p in params], n_accum)"),
        tempts,
    )
    yield loops.right(
        "clip-limit-of-sums",
        swap(
            drop(AT_UPDATE, "scale_grads(params, 1.0 / n_accum)"),
            "(params, 1.5)",
            "(params, 1.5 * n_accum)",
            "loss_fn = nn.MSELoss()",
            "loss_fn = nn.MSELoss(reduction='sum')",
        ),
        tempts,
    )
    late = drop(AT_UPDATE, "sched.step()")
    yield loops.wrong(
        "scheduler-outside-the-guard",
        swap(
            late,
            '            print(step, "%.4f" % norm.item(), "%.6f" % sched.get_last_lr()[0])\n',
            '            print(step, "%.4f" % norm.item(), "%.6f" % sched.get_last_lr()[0])\n        sched.step()\n',
        ),
        AT_UPDATE,
        swap(
            late,
            '            print(step, "%.4f" % norm.item(), "%.6f" % sched.get_last_lr()[0])\n',
            '            print(step, "%.4f" % norm.item(), "%.6f" % sched.get_last_lr()[0])\n'
            "            sched.step()\n",
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.wrong(
        "scheduler-first",
        swap(
            AT_UPDATE,
            "            opt.step()\n            sched.step()\n",
            "            sched.step()\n            opt.step()\n",
        ),
        AT_UPDATE,
        tempts=("scheduler-before-optimizer",),
    )
    yield loops.wrong(
        "clip-behind-the-step",
        swap(
            AT_UPDATE,
            "            norm = nn.utils.clip_grad_norm_(params, 1.5)\n            opt.step()\n",
            "            opt.step()\n            norm = nn.utils.clip_grad_norm_(params, 1.5)\n",
        ),
        AT_UPDATE,
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "never-cleared",
        drop(AT_UPDATE.replace("    model.zero_grad()\n    for", "    for"), "model.zero_grad()"),
        AT_UPDATE,
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from loss_attribute()
    yield from summed_loss()
    yield from caller_rescales()
    yield from scaled_at_the_update()
