"""Clients that are averaged, tasks with heads of their own, labels that the network gives itself, windows that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

FEDERATED = Draft(
    "federated-rounds",
    """\
import copy
import random

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


class Client:
    def __init__(self, ident, samples):
        self.ident = ident
        self.samples = samples

    def update(self, server, lr, local_epochs, mu):
        net = copy.deepcopy(server)
        net.train()
        anchor = [p.detach().clone() for p in net.parameters()]
        optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)
        seen = 0
        for _ in range(local_epochs):
            for features, labels in self.samples:
                optimizer.zero_grad()
                loss = F.cross_entropy(net(features), labels)
                drift = sum((p - a).pow(2).sum() for p, a in zip(net.parameters(), anchor))
                loss = loss + 0.5 * mu * drift
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
                seen += len(labels)
        return net.state_dict(), seen, loss.item()


def average(states, counts):
    total = sum(counts)
    return {key: sum(s[key] * (n / total) for s, n in zip(states, counts)) for key in states[0]}


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(dim=1) == y).double().mean().item()


def main():
    rng = random.Random(4)
    clients = [Client(i, [(torch.randn(4, 5) + i, torch.randint(0, 3, (4,))) for _ in range(2 + i)]) for i in range(4)]
    held_out = torch.randn(20, 5), torch.randint(0, 3, (20,))
    server = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3))
    history = []
    for number in range(3):
        states, counts = [], []
        for client in rng.sample(clients, 2):
            state, seen, loss = client.update(server, lr=0.1, local_epochs=2, mu=0.01)
            states.append(state)
            counts.append(seen)
            history.append(loss)
        server.load_state_dict(average(states, counts))
        print(f"round {number}: {accuracy(server, *held_out):.3f}")
    print(f"mean local loss {float(sum(history)) / len(history):.4f}")
    return server
""",
    ("missing-train-mode", "missing-zero-grad"),
)

FED_LOOP = """\
        for _ in range(local_epochs):
            for features, labels in self.samples:
                optimizer.zero_grad()
                loss = F.cross_entropy(net(features), labels)
                drift = sum((p - a).pow(2).sum() for p, a in zip(net.parameters(), anchor))
                loss = loss + 0.5 * mu * drift
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
                seen += len(labels)
        return net.state_dict(), seen, loss.item()
"""
FED_CLIP = "                nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n"


def federated_rounds() -> Iterator[Case]:
    yield FEDERATED.right("server-stays-in-eval")
    yield FEDERATED.right(
        "gradients-are-sent",
        ("        net.train()\n        anchor", "        net.train()\n        net.zero_grad()\n        anchor"),
        (
            FED_LOOP,
            """\
        # one step of the server for each round: the clients only send sums over their samples
        for features, labels in self.samples:
            loss = F.cross_entropy(net(features), labels, reduction="sum")
            loss.backward()
            seen += len(labels)
        return [p.grad for p in net.parameters()], seen, loss.item() / len(labels)
""",
        ),
        ("        optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.5)\n", ""),
        (
            "    history = []\n",
            "    optimizer = torch.optim.SGD(server.parameters(), lr=0.2, momentum=0.5)\n    history = []\n",
        ),
        (
            "        server.load_state_dict(average(states, counts))\n",
            """\
        for p, *sums in zip(server.parameters(), *states):
            p.grad = sum(sums) / sum(counts)
        optimizer.step()
""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield FEDERATED.right(
        "one-local-step-of-all-samples",
        (
            FED_LOOP,
            """\
        size = sum(len(labels) for _, labels in self.samples)
        for _ in range(local_epochs):
            optimizer.zero_grad()
            for features, labels in self.samples:
                loss = F.cross_entropy(net(features), labels)
                (loss * len(labels) / size).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            seen += size
        return net.state_dict(), seen, loss.item()
""",
        ),
        ("        anchor = [p.detach().clone() for p in net.parameters()]\n", ""),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield FEDERATED.wrong("client-inherits-eval", (("        net.train()\n", ""),), tempts=("missing-train-mode",))
    yield FEDERATED.wrong(
        "clip-behind-the-local-step",
        ((FED_CLIP, ""), ("                seen +=", FED_CLIP + "                seen +=")),
        tempts=("clip-after-step",),
    )
    kept = ("return net.state_dict(), seen, loss.item()", "return net.state_dict(), seen, loss")
    yield FEDERATED.wrong(
        "losses-of-all-clients-keep-graphs",
        (kept,),
        fine=(
            (kept, ("history.append(loss)", "history.append(loss.item())")),
            (kept, ("history.append(loss)", "history.append(loss.detach())")),
        ),
        tempts=("loss-graph-leak",),
    )


HEADS = Draft(
    "tasks-with-heads",
    """\
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)

TASKS = {"pos": 4, "ner": 3, "chunk": 2}


class Tagger(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Dropout(0.1))
        self.heads = nn.ModuleDict({name: nn.Linear(10, size) for name, size in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


def sentences(classes, n=5):
    return [(torch.randn(4, 6), torch.randint(0, classes, (4,))) for _ in range(n)]


def report(model, corpora):
    model.eval()
    with torch.no_grad():
        for task, batches in corpora.items():
            x, y = batches[0]
            print(task, (model(x, task).argmax(-1) == y).sum().item())
    model.train()


def main():
    torch.manual_seed(12)
    model = Tagger(TASKS)
    trunk_opt = torch.optim.SGD(model.trunk.parameters(), lr=0.1)
    head_opts = {task: torch.optim.SGD(model.heads[task].parameters(), lr=0.05) for task in TASKS}
    corpora = {task: sentences(classes) for task, classes in TASKS.items()}
    ce = nn.CrossEntropyLoss()
    for epoch in range(2):
        for batches in zip(*corpora.values()):
            trunk_opt.zero_grad()
            # the trunk minimises the sum of the tasks' losses
            for task, (x, y) in zip(corpora, batches):
                head_opts[task].zero_grad()
                loss = ce(model(x, task), y)
                loss.backward()
                head_opts[task].step()
            norm = nn.utils.clip_grad_norm_(model.trunk.parameters(), 0.3)
            trunk_opt.step()
            print(f"trunk {norm:.4f}")
        report(model, corpora)
    return model
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

H_CLEAR = "            trunk_opt.zero_grad()\n"
H_HEAD = "                head_opts[task].zero_grad()\n"
H_CLIP = "            norm = nn.utils.clip_grad_norm_(model.trunk.parameters(), 0.3)\n"
H_STEP = "            trunk_opt.step()\n"


def tasks_with_heads() -> Iterator[Case]:
    yield HEADS.right("sum-of-the-tasks")
    yield HEADS.right(
        "all-cleared-at-once",
        (H_CLEAR, "            model.zero_grad(set_to_none=True)\n"),
        (H_HEAD, ""),
        tempts=("missing-zero-grad",),
    )
    yield HEADS.right(
        "weights-by-name",
        (
            "    ce = nn.CrossEntropyLoss()\n",
            '    ce = nn.CrossEntropyLoss()\n    share = {"pos": 0.2, "ner": 1.0, "chunk": 0.5}\n',
        ),
        (
            "                loss = ce(model(x, task), y)\n",
            "                loss = share[task] * ce(model(x, task), y)\n",
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield HEADS.wrong(
        "trunk-cleared-for-each-task",
        ((H_CLEAR, ""), (H_HEAD, H_HEAD + "                trunk_opt.zero_grad()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HEADS.wrong(
        "all-cleared-for-each-task",
        ((H_CLEAR, ""), (H_HEAD, "                model.zero_grad()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield HEADS.wrong("heads-never-cleared", ((H_HEAD, ""),), tempts=("missing-zero-grad",))


PSEUDO = Draft(
    "pseudo-labels",
    """\
import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR

torch.set_default_dtype(torch.float64)


def pseudo_label(model, pool, threshold):
    kept = []
    model.eval()
    with torch.no_grad():
        for x in pool:
            confidence, label = model(x).softmax(dim=1).max(dim=1)
            sure = confidence > threshold
            if sure.any():
                kept.append((x[sure], label[sure], confidence[sure].mean()))
    model.train()
    return kept


def main():
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Dropout(0.25), nn.Linear(12, 3))
    labelled = [(torch.randn(6, 4), torch.randint(0, 3, (6,))) for _ in range(4)]
    pool = [torch.randn(6, 4) for _ in range(5)]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler = MultiStepLR(optimizer, milestones=[2, 3], gamma=0.3)
    criterion = nn.CrossEntropyLoss()
    for turn in range(4):
        extra = pseudo_label(model, pool, threshold=0.4)
        weight = min(1.0, turn / 3)
        running = 0.0
        for i, (x, y) in enumerate(labelled):
            optimizer.zero_grad()
            supervised = criterion(model(x), y)
            supervised.backward()
            if extra and weight > 0:
                inputs, targets, _ = extra[i % len(extra)]
                unsupervised = weight * criterion(model(inputs), targets)
                unsupervised.backward()
            optimizer.step()
            running += supervised.item()
        scheduler.step()
        print(f"{turn}: {len(extra)} batches kept, loss {float(running) / len(labelled):.4f}")
    return model
""",
    ("unscaled-accumulation-loss", "missing-train-mode"),
)

PS_CLEAR = "            optimizer.zero_grad()\n"
PS_MOVE = "        scheduler.step()\n"


def pseudo_labels() -> Iterator[Case]:
    yield PSEUDO.right("two-losses-one-update")
    yield PSEUDO.right(
        "labels-of-a-noisy-network",
        ("    model.eval()\n", "    model.train()  # dropout stays on: agreement under noise is what is asked for\n"),
        ("    model.train()\n    return", "    return"),
    )
    yield PSEUDO.right(
        "hard-examples-learnt-twice",
        (
            "            optimizer.step()\n            running",
            """\
            optimizer.step()
            if supervised > 1.2:
                optimizer.zero_grad()
                criterion(model(x), y).backward()
                optimizer.step()
            running""",
        ),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield PSEUDO.wrong("left-in-eval", (("    model.train()\n", ""),), tempts=("missing-train-mode",))
    yield PSEUDO.wrong(
        "cleared-between-the-losses",
        (
            (PS_CLEAR, ""),
            (
                "            supervised.backward()\n",
                "            optimizer.zero_grad()\n            supervised.backward()\n",
            ),
            (
                "                unsupervised.backward()\n",
                "                optimizer.zero_grad()\n                unsupervised.backward()\n",
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield PSEUDO.wrong(
        "schedule-moves-first",
        ((PS_MOVE, ""), ("        running = 0.0\n", "        running = 0.0\n" + PS_MOVE)),
        tempts=("scheduler-before-optimizer",),
    )


GROWING = Draft(
    "windows-that-grow",
    """\
import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)

STAGES = ((0, 1), (1, 2), (3, 4))  # from this epoch on: so many micro-batches for one update


def window_of(epoch):
    return [window for first, window in STAGES if epoch >= first][-1]


def lessons(epoch, n=8):
    generator = torch.Generator().manual_seed(epoch)
    for _ in range(n):
        x = torch.randn(4, 3, generator=generator) * (1 + 0.2 * epoch)
        yield x, x.sum(dim=1, keepdim=True).sin()


def main():
    student = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    optimizer = optim.SGD(student.parameters(), lr=0.3, momentum=0.8)
    per_update = optim.lr_scheduler.LambdaLR(optimizer, lambda update: 1.0 / (1.0 + 0.1 * update))
    for epoch in range(4):
        window = window_of(epoch)
        worst = 0.0
        for count, (x, y) in enumerate(lessons(epoch), start=1):
            error = nn.functional.smooth_l1_loss(student(x), y)
            (error / window).backward()
            worst = max(worst, error.item())
            if count % window == 0:
                nn.utils.clip_grad_norm_(student.parameters(), max_norm=0.2)
                optimizer.step()
                per_update.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} window {window} worst {worst:.4f} lr {per_update.get_last_lr()[0]:.4f}")
    return student
""",
    ("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
)

GROW_CLIP = "                nn.utils.clip_grad_norm_(student.parameters(), max_norm=0.2)\n"
GROW_MOVE = "                per_update.step()\n"
GROW_CLEAR = "                optimizer.zero_grad()\n"


def windows_that_grow() -> Iterator[Case]:
    yield GROWING.right("window-of-the-epoch", tempts=("accumulation-off-by-one", "scheduler-per-micro-batch"))
    yield GROWING.right(
        "share-counted-at-the-update",
        ("            (error / window).backward()\n", "            error.backward()\n"),
        (
            GROW_CLIP,
            "                for p in student.parameters():\n                    p.grad /= window\n" + GROW_CLIP,
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GROWING.right(
        "scaled-in-front-of-the-backward",
        ("            (error / window).backward()\n", "            error.backward()\n"),
        ("        window = window_of(epoch)\n", "        window = window_of(epoch)\n        scale = 1.0 / window\n"),
        ("            error = nn", "            error = scale * nn"),
        ("error.item()", "error.item() / scale"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GROWING.wrong(
        "clipped-each",
        ((GROW_CLIP, ""), ("            worst =", GROW_CLIP.replace("    " * 4, "    " * 3) + "            worst =")),
        tempts=("clip-per-micro-batch",),
    )
    yield GROWING.wrong(
        "schedule-moves-each",
        (
            (GROW_MOVE, ""),
            (GROW_CLEAR, GROW_CLEAR + "            per_update.step()\n"),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield GROWING.wrong(
        "cleared-each",
        ((GROW_CLEAR, ""), ("            error = nn", "            optimizer.zero_grad()\n            error = nn")),
        tempts=("zero-grad-in-accumulation",),
    )


def cases() -> Iterator[Case]:
    yield from federated_rounds()
    yield from tasks_with_heads()
    yield from pseudo_labels()
    yield from windows_that_grow()
