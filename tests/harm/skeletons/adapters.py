"""Adapters of low rank, a plain script with arguments, layers that thaw, hooks that a runner calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

LORA = Draft(
    "low-rank-adapters",
    """\
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank=2, alpha=4, dropout=0.1):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.base(x) + self.scale * (self.dropout(x) @ self.down.T @ self.up.T)


def build():
    net = nn.Sequential(nn.Embedding(12, 6), nn.Linear(6, 10), nn.GELU(), nn.Linear(10, 12)).requires_grad_(False)
    net[1], net[3] = LoRALinear(net[1]), LoRALinear(net[3])
    return net


def evaluate(net, batches):
    net.eval()
    losses = []
    with torch.no_grad():
        for ids, labels in batches:
            losses.append(F.cross_entropy(net(ids).flatten(0, 1), labels.flatten()).item())
    net.train()
    return sum(losses) / len(losses)


def finetune(net, train, dev, epochs=2, accum=3):
    trainable = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=0.02)
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda updates: min(1.0, (updates + 1) / 4))
    for epoch in range(epochs):
        for i, (ids, labels) in enumerate(train):
            share = min(accum, len(train) - i // accum * accum)
            logits = net(ids)
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
            (loss / share).backward()
            if (i + 1) % accum == 0 or i + 1 == len(train):
                nn.utils.clip_grad_norm_(trainable, 0.05)
                optimizer.step()
                warmup.step()
                optimizer.zero_grad()
            if i % 4 == 3:
                print(f"[{epoch}:{i}] train {loss.item():.4f} dev {evaluate(net, dev):.4f}")


def main():
    torch.manual_seed(31)
    net = build()
    batches = [(ids, ids.roll(-1, dims=1)) for ids in torch.randint(0, 12, (9, 2, 5))]
    finetune(net, batches[:7], batches[7:])
    return net
""",
    ("accumulation-divisor-mismatch", "clip-per-micro-batch"),
)

L_SHARE = "            share = min(accum, len(train) - i // accum * accum)\n"
L_CLIP = "                nn.utils.clip_grad_norm_(trainable, 0.05)\n"
L_STEP = "                optimizer.step()\n"
L_MOVE = "                warmup.step()\n"
L_CLEAR = "                optimizer.zero_grad()\n"


def out(lines: str) -> str:
    """The same lines, one level further out."""
    return "".join(row[4:] for row in lines.splitlines(keepends=True))


def low_rank() -> Iterator[Case]:
    yield LORA.right("tail-has-its-share")
    yield LORA.right(
        "base-and-adapters-in-eval-but-dropout",
        ("    net.train()\n    return", "    adapt(net)\n    return"),
        (
            "def evaluate(",
            '''\
def adapt(net):
    """All of it in eval, but the adapters."""
    net.eval()
    for layer in net:
        if isinstance(layer, LoRALinear):
            layer.train()


def evaluate(''',
        ),
        ("    for epoch in range(epochs):\n", "    adapt(net)\n    for epoch in range(epochs):\n"),
        tempts=("missing-train-mode",),
    )
    yield LORA.right(
        "never-mind-the-last-one",
        (" or i + 1 == len(train):", ":"),
        (L_SHARE, ""),
        ("(loss / share)", "(loss / accum)"),
        (
            "        for i, (ids",
            "        optimizer.zero_grad()  # what is left of the last epoch is not used\n        for i, (ids",
        ),
        tempts=("dropped-accumulation-tail",),
    )
    yield LORA.left(
        "tail-divided-by-the-window",
        ((L_SHARE, ""), ("(loss / share)", "(loss / accum)")),
    )
    yield LORA.wrong(
        "clipped-each", ((L_CLIP, ""), ("            if (i + 1) %", out(L_CLIP) + "            if (i + 1) %"))
    )
    yield LORA.wrong(
        "warm-up-moves-each",
        ((L_MOVE, ""), ("            if i % 4 == 3:\n", out(L_MOVE) + "            if i % 4 == 3:\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield LORA.wrong(
        "cleared-at-the-top-and-behind",
        (("            logits = net(ids)\n", "            optimizer.zero_grad()\n            logits = net(ids)\n"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield LORA.wrong(
        "evaluation-in-the-window-stays-in-eval", (("    net.train()\n", ""),), tempts=("missing-train-mode",)
    )


SCRIPT = Draft(
    "script-with-arguments",
    """\
from __future__ import print_function
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

parser = argparse.ArgumentParser(description='small digits')
parser.add_argument('--batch-size', type=int, default=4, metavar='N')
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--lr', type=float, default=0.2)
parser.add_argument('--update-every', type=int, default=2, help='batches for one update')
parser.add_argument('--clip', type=float, default=0.25, help='0 does not clip')
parser.add_argument('--log-interval', type=int, default=2)
args = parser.parse_args()

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)

xs, ys = torch.randn(32, 1, 4, 4), torch.randint(0, 3, (32,))
train_loader = list(zip(xs[:24].split(args.batch_size), ys[:24].split(args.batch_size)))
test_loader = [(xs[24:], ys[24:])]


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(16, 3)

    def forward(self, x):
        x = F.relu(self.conv(x))
        return F.log_softmax(self.fc(self.drop(x.flatten(1))), dim=1)


model = Net()
optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.5)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)


def train(epoch):
    model.train()
    optimizer.zero_grad()
    total_loss = 0
    for batch_idx, (data, target) in enumerate(train_loader):
        output = model(data)
        loss = F.nll_loss(output, target) / args.update_every
        loss.backward()
        total_loss += loss.item() * args.update_every
        if (batch_idx + 1) % args.update_every == 0:
            if args.clip > 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()
        if batch_idx % args.log_interval == 0:
            print('Train Epoch: {} [{}/{}]'.format(epoch, batch_idx * len(data), len(train_loader) * len(data)))
    print('mean {:.4f}'.format(float(total_loss) / len(train_loader)))


def test():
    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in test_loader:
            correct += model(data).max(1)[1].eq(target).sum().item()
    print('Accuracy: {}/{}'.format(correct, 8))


for epoch in range(1, args.epochs + 1):
    train(epoch)
    test()
    scheduler.step()


def main():
    return model
""",
    ("accumulation-off-by-one", "missing-train-mode"),
)

S_CLIP = """\
            if args.clip > 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.clip)
"""
S_TEST = "    train(epoch)\n    test()\n    scheduler.step()\n"


def script() -> Iterator[Case]:
    yield SCRIPT.right("as-it-is")
    yield SCRIPT.right(
        "each-batch-by-default",
        ("default=2, help='batches for one update'", "default=1, help='batches for one update'"),
        (
            "if (batch_idx + 1) % args.update_every == 0:",
            "if args.update_every == 1 or (batch_idx + 1) % args.update_every == 0:",
        ),
    )
    yield SCRIPT.right(
        "counted-down-from-the-end",
        (
            "if (batch_idx + 1) % args.update_every == 0:",
            "if (len(train_loader) - batch_idx - 1) % args.update_every == 0:",
        ),
    )
    yield SCRIPT.right(
        "tested-first-and-the-mode-is-computed",
        (
            "    model.train()\n    optimizer.zero_grad()\n",
            "    model.train(args.epochs >= epoch)\n    optimizer.zero_grad()\n",
        ),
        (S_TEST, "    test()\n    train(epoch)\n    scheduler.step()\n"),
    )
    yield SCRIPT.wrong(
        "first-window-of-one",
        (("if (batch_idx + 1) % args.update_every == 0:", "if batch_idx % args.update_every == 0:"),),
    )
    yield SCRIPT.wrong(
        "clip-behind",
        ((S_CLIP, ""), ("            optimizer.step()\n", "            optimizer.step()\n" + S_CLIP)),
        tempts=("clip-after-step",),
    )
    yield SCRIPT.wrong(
        "schedule-first",
        ((S_TEST, "    scheduler.step()\n    train(epoch)\n    test()\n"),),
        tempts=("scheduler-before-optimizer",),
    )
    yield SCRIPT.wrong(
        "total-keeps-graphs",
        (("total_loss += loss.item() * args", "total_loss += loss * args"),),
        tempts=("loss-graph-leak",),
    )


THAW = Draft(
    "layers-that-thaw",
    """\
import itertools

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList(
            [
                nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU()),
                nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.ReLU()),
                nn.Sequential(nn.Dropout(0.2), nn.Linear(6, 3)),
            ]
        )

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


def thaw(model, count):
    for number, stage in enumerate(reversed(model.stages)):
        stage.requires_grad_(number < count)
        stage.train(number < count)


def groups(model, lr, factor=0.4):
    return [
        {"params": stage.parameters(), "lr": lr * factor**depth, "name": f"stage{depth}"}
        for depth, stage in enumerate(reversed(model.stages))
    ]


def fit(model, batches, rounds=3):
    optimizer = torch.optim.SGD(groups(model, 0.2), lr=0.2, momentum=0.9)
    slanted = [lambda n: 1.0, lambda n: 0.9**n, lambda n: 0.8**n]
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, slanted)
    everything = [p for group in optimizer.param_groups for p in group["params"]]
    for number in range(rounds):
        model.train()
        thaw(model, number + 1)
        for x, y in batches:
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(everything, 0.4)
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
        model.eval()
        with torch.no_grad():
            score = sum((model(x).argmax(1) == y).sum().item() for x, y in batches)
        print(number, score, [round(g["lr"], 5) for g in optimizer.param_groups])


def main():
    torch.manual_seed(5)
    model = Classifier()
    fit(model, [(torch.randn(6, 4), torch.randint(0, 3, (6,))) for _ in range(4)])
    return model
""",
    ("missing-train-mode", "missing-zero-grad"),
)

T_CLIP = "            nn.utils.clip_grad_norm_(everything, 0.4)\n"
T_ALL = '    everything = [p for group in optimizer.param_groups for p in group["params"]]\n'
T_MODES = "        model.train()\n        thaw(model, number + 1)\n"


def layers_that_thaw() -> Iterator[Case]:
    yield THAW.right("frozen-stages-in-eval")
    yield THAW.right("modes-by-the-thawing-alone", (T_MODES, "        thaw(model, number + 1)\n"))
    yield THAW.right(
        "chained-anew-each-time",
        (T_ALL, ""),
        (
            "clip_grad_norm_(everything, 0.4)",
            "clip_grad_norm_(itertools.chain.from_iterable(map(nn.Module.parameters, model.stages)), 0.4)",
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield THAW.wrong(
        "chain-walked-once",
        (
            (
                T_ALL,
                "    everything = itertools.chain.from_iterable(stage.parameters() for stage in model.stages)\n",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield THAW.wrong(
        "everything-in-eval-from-the-second-round",
        ((T_MODES, "        thaw(model, number + 1)\n"), ("        stage.train(number < count)\n", "")),
        fine=((("        stage.train(number < count)\n", ""),),),
        tempts=("missing-train-mode",),
    )


RUNNER = Draft(
    "runner-that-calls-hooks",
    """\
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad

torch.set_default_dtype(torch.float64)

HOOKS = {}


def register(cls):
    HOOKS[cls.__name__] = cls
    return cls


class Hook:
    def before_epoch(self, runner): ...
    def after_iter(self, runner): ...
    def after_epoch(self, runner): ...


@register
class OptimizerHook(Hook):
    def __init__(self, max_norm=None):
        self.max_norm = max_norm

    def after_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()
        if self.max_norm is not None:
            clip_grad.clip_grad_norm_(runner.model.parameters(), self.max_norm)
        runner.optimizer.step()


@register
class LogHook(Hook):
    def before_epoch(self, runner):
        self.values = []

    def after_iter(self, runner):
        self.values.append(runner.outputs["loss"].item())

    def after_epoch(self, runner):
        print(f"epoch {runner.epoch} loss {float(sum(self.values)) / len(self.values):.4f}")


@register
class EvalHook(Hook):
    def __init__(self, data, every):
        self.data, self.every = data, every

    def after_iter(self, runner):
        if (runner.iter + 1) % self.every == 0:
            runner.model.eval()
            with torch.no_grad():
                error = sum(runner.batch_loss(batch).item() for batch in self.data)
            runner.model.train()
            print(f"iter {runner.iter} error {error:.4f}")


class Runner:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer = model, optimizer
        self.hooks = [HOOKS[cfg.pop("type")](**cfg) for cfg in hooks]
        self.epoch = self.iter = 0

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def batch_loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.model(x), y)

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            self.model.train()
            self.call("before_epoch")
            for batch in loader:
                self.outputs = {"loss": self.batch_loss(batch)}
                self.call("after_iter")
                self.iter += 1
            self.call("after_epoch")


def main():
    data = [(torch.randn(5, 4), torch.randn(5, 1)) for _ in range(6)]
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
    hooks = [
        dict(type="OptimizerHook", max_norm=0.3),
        dict(type="LogHook"),
        dict(type="EvalHook", data=data[4:], every=3),
    ]
    Runner(model, torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9), hooks).run(data[:4], epochs=3)
    return model
""",
    ("missing-zero-grad", "missing-train-mode"),
)

R_CLIP = """\
        if self.max_norm is not None:
            clip_grad.clip_grad_norm_(runner.model.parameters(), self.max_norm)
"""
R_CLEAR = "        runner.optimizer.zero_grad()\n"
R_BACKWARD = '        runner.outputs["loss"].backward()\n'
R_STEP = "        runner.optimizer.step()\n"


def runner() -> Iterator[Case]:
    yield RUNNER.right("as-it-is")
    yield RUNNER.right(
        "window-in-the-hook",
        (
            "    def __init__(self, max_norm=None):\n        self.max_norm = max_norm\n",
            "    def __init__(self, max_norm=None, times=1):\n        self.max_norm, self.times = max_norm, times\n",
        ),
        (
            R_CLEAR + R_BACKWARD,
            '        if runner.iter % self.times == 0:\n            runner.optimizer.zero_grad()\n        runner.outputs["loss"].div(self.times).backward()\n        if (runner.iter + 1) % self.times:\n            return\n',
        ),
        ('dict(type="OptimizerHook", max_norm=0.3)', 'dict(type="OptimizerHook", max_norm=0.3, times=2)'),
        tempts=("zero-grad-in-accumulation", "unscaled-accumulation-loss"),
    )
    yield RUNNER.right(
        "decided-by-the-norm",
        (
            R_CLIP + R_STEP,
            """\
        norm = clip_grad.clip_grad_norm_(runner.model.parameters(), self.max_norm or float("inf"))
        if norm < 2.0:
            runner.optimizer.step()
""",
        ),
        tempts=("clip-after-step", "zero-grad-before-step"),
    )
    yield RUNNER.right(
        "cleared-by-the-log",
        (R_CLEAR, ""),
        (
            "    def after_iter(self, runner):\n        self.values.append",
            "    def after_iter(self, runner):\n        self.norms.append(sum(p.grad.norm().item() for p in runner.model.parameters()))\n        runner.optimizer.zero_grad()\n        self.values.append",
        ),
        ("        self.values = []\n", "        self.values, self.norms = [], []\n"),
        tempts=("missing-zero-grad",),
    )
    yield RUNNER.wrong("clip-behind", ((R_CLIP, ""), (R_STEP, R_STEP + R_CLIP)), tempts=("clip-after-step",))
    yield RUNNER.wrong(
        "cleared-behind-the-backward",
        ((R_CLEAR + R_BACKWARD, R_BACKWARD + R_CLEAR),),
        tempts=("zero-grad-before-step",),
    )
    yield RUNNER.wrong(
        "evaluation-stays-in-eval", (("            runner.model.train()\n            print", "            print"),)
    )
    yield RUNNER.wrong(
        "log-keeps-graphs",
        (('self.values.append(runner.outputs["loss"].item())', 'self.values.append(runner.outputs["loss"])'),),
        tempts=("loss-graph-leak",),
    )


def cases() -> Iterator[Case]:
    yield from low_rank()
    yield from script()
    yield from layers_that_thaw()
    yield from runner()
