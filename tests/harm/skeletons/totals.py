"""Running totals: reset each window, kept for a later backward, begun with 0 or None."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

TOTALS = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Tower(nn.Module):
    def __init__(self, tasks=2):
        super().__init__()
        self.shared = nn.Linear(4, 6)
        self.tasks = nn.ModuleList(nn.Linear(6, 1) for _ in range(tasks))

    def forward(self, x, task):
        return self.tasks[task](torch.relu(self.shared(x)))


def task_loss(model, x, y, task):
    if y is None:
        return 0
    return nn.functional.mse_loss(model(x, task), y)


def main():
    torch.manual_seed(80)
    rows = []
    for i in range(8):
        x = torch.randn(4, 4)
        rows.append((x, x[:, :1], None if i % 3 == 1 else x[:, 1:2]))
    model = Tower()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        total, aux_total = 0.0, 0
        for x, y0, y1 in rows:
            main_loss = task_loss(model, x, y0, 0)
            aux = task_loss(model, x, y1, 1)
            loss = main_loss + 0.5 * aux
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            aux_total += float(aux)
        print(f"{epoch}: {total / len(rows):.5f} {aux_total / len(rows):.5f}")
    return model
"""


def number_or_tensor() -> Iterator[Case]:
    loops = Skeleton("number-or-tensor")
    tempts = "loss-graph-leak"
    yield loops.right("floats", TOTALS, tempts)
    yield loops.right(
        "detached-where-it-is-a-tensor",
        swap(TOTALS, "aux_total += float(aux)", "aux_total += aux.item() if torch.is_tensor(aux) else aux"),
        tempts,
    )
    yield loops.right(
        "none-at-first",
        swap(
            TOTALS,
            "total, aux_total = 0.0, 0",
            "total, aux_total = None, 0",
            "total += loss.item()",
            "total = loss.detach() if total is None else total + loss.detach()",
        ),
        tempts,
    )
    graphs = swap(TOTALS, "aux_total += float(aux)", "aux_total += aux")
    yield loops.wrong("aux-may-be-an-int", graphs, TOTALS, tempts=(tempts,))
    yield loops.wrong(
        "aux-may-be-an-int-in-a-list",
        swap(
            TOTALS,
            "total, aux_total = 0.0, 0",
            "total, auxs = 0.0, []",
            "aux_total += float(aux)",
            "auxs.append(aux)",
            "aux_total / len",
            "sum(auxs) / len",
        ),
        TOTALS,
        tempts=(tempts,),
    )
    yield loops.wrong(
        "total-keeps-graphs", swap(TOTALS, "total += loss.item()", "total += loss"), TOTALS, tempts=(tempts,)
    )
    yield loops.wrong(
        "both-keep-graphs",
        swap(graphs, "total += loss.item()", "total += loss"),
        TOTALS,
        graphs,
        tempts=(tempts,),
    )


LATER = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
K = 4


def main():
    torch.manual_seed(90)
    net = nn.GRUCell(2, 5)
    readout = nn.Linear(5, 1)
    opt = torch.optim.Adam([*net.parameters(), *readout.parameters()], lr=0.02)
    h = torch.zeros(3, 5)
    total_loss = 0
    epoch_loss = 0.0
    # truncated backpropagation through time: one backward for K steps
    for t in range(1, 17):
        x = torch.randn(3, 2)
        h = net(x, h)
        total_loss += nn.functional.mse_loss(readout(h), x.prod(1, keepdim=True)) / K
        if t % K == 0:
            opt.zero_grad()
            total_loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.05)
            opt.step()
            epoch_loss += total_loss.item()
            h = h.detach()
            total_loss = 0
    print("%.6f" % epoch_loss)
    return net, readout
"""


def kept_for_a_later_backward() -> Iterator[Case]:
    loops = Skeleton("kept-for-a-later-backward")
    tempts = "loss-graph-leak"
    yield loops.right("truncated-bptt", LATER, tempts, "clip-before-backward")
    yield loops.right(
        "list-of-losses",
        swap(
            LATER,
            "    total_loss = 0\n    epoch",
            "    losses = []\n    epoch",
            "total_loss += nn.functional.mse_loss(readout(h), x.prod(1, keepdim=True)) / K",
            "losses.append(nn.functional.mse_loss(readout(h), x.prod(1, keepdim=True)))",
            "            total_loss.backward()\n",
            "            total_loss = torch.stack(losses).mean()\n            total_loss.backward()\n",
            "            h = h.detach()\n            total_loss = 0\n",
            "            h = h.detach()\n            losses.clear()\n",
        ),
        tempts,
        "unscaled-accumulation-loss",
    )
    yield loops.right(
        "tail-is-dropped",
        swap(LATER, "range(1, 17)", "range(1, 19)"),
        tempts,
        "dropped-accumulation-tail",
    )
    yield loops.right(
        "sum-of-steps-on-purpose",
        swap(LATER, " / K\n", "  # summed over time\n"),
        "unscaled-accumulation-loss",
        tempts,
    )
    clip = "            nn.utils.clip_grad_norm_(net.parameters(), 0.05)\n"
    yield loops.wrong(
        "clip-in-front-of-the-backward",
        swap(LATER, clip, "", "            opt.zero_grad()\n", clip + "            opt.zero_grad()\n"),
        LATER,
        tempts=("clip-before-backward",),
    )
    yield loops.wrong(
        "epoch-loss-keeps-graphs",
        swap(LATER, "epoch_loss += total_loss.item()", "epoch_loss += total_loss"),
        LATER,
        tempts=(tempts,),
    )
    yield loops.wrong(
        "cleared-between",
        swap(
            drop(LATER, "opt.zero_grad()"),
            "            opt.step()",
            "            opt.zero_grad()\n            opt.step()",
        ),
        LATER,
        tempts=("zero-grad-before-step",),
    )


STOPPING = """
import copy

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)


class EarlyStopping:
    def __init__(self, patience=2, delta=0.0):
        self.patience, self.delta = patience, delta
        self.best, self.bad, self.state = None, 0, None

    def __call__(self, value, model):
        if self.best is None or value < self.best - self.delta:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def evaluate(model, data, criterion):
    model.eval()
    loss, n = 0.0, 0
    with torch.no_grad():
        for x, y in data:
            loss += criterion(model(x), y).item() * len(x)
            n += len(x)
    return loss / n


def main():
    torch.manual_seed(100)
    w = torch.randn(4, 1)
    xs = [torch.randn(5, 4) for _ in range(9)]
    train, val = [(x, x @ w) for x in xs[:6]], [(x, x @ w + 0.3 * torch.randn(5, 1)) for x in xs[6:]]
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
    optimizer = optim.SGD(model.parameters(), lr=0.4)
    plateau = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.3, patience=0)
    criterion = nn.MSELoss()
    stopping = EarlyStopping()
    history = []
    for epoch in range(8):
        model.train()
        window = 0.0
        for i, (x, y) in enumerate(train, start=1):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            window += loss.item()
            if i % 3 == 0:
                print(f"[{epoch}, {i}] {window / 3:.4f}")
                window = 0.0
        value = evaluate(model, val, criterion)
        history.append(value)
        plateau.step(value)
        if stopping(value, model):
            print("stopped at", epoch)
            break
    model.load_state_dict(stopping.state)
    print([round(v, 5) for v in history])
    return model
"""


def early_stopping() -> Iterator[Case]:
    loops = Skeleton("early-stopping")
    yield loops.right("as-it-is", STOPPING, "missing-train-mode", "scheduler-before-optimizer")
    yield loops.right(
        "plateau-on-the-training-loss",
        swap(STOPPING, "plateau.step(value)", "plateau.step(loss.item())"),
        "scheduler-before-optimizer",
    )
    yield loops.right(
        "total-reset-each-window",
        swap(STOPPING, "window += loss.item()", "window = window + loss.detach()"),
        "loss-graph-leak",
    )
    small = swap(STOPPING, "window += loss.item()", "window += loss")
    # three graphs at most: its author may want it so
    yield loops.right("window-of-three-keeps-graphs", small, "loss-graph-leak")
    yield loops.wrong(
        "evaluation-keeps-graphs",
        swap(
            STOPPING,
            "    with torch.no_grad():\n"
            "        for x, y in data:\n"
            "            loss += criterion(model(x), y).item() * len(x)\n"
            "            n += len(x)\n",
            "    for x, y in data:\n        loss += criterion(model(x), y) * len(x)\n        n += len(x)\n",
            "    return loss / n\n",
            "    return float(loss / n)\n",
        ),
        STOPPING,
        tempts=("validation-without-no-grad", "loss-graph-leak"),
    )
    yield loops.wrong(
        "no-train-mode",
        swap(STOPPING, "        model.train()\n        window", "        window"),
        STOPPING,
        tempts=("missing-train-mode",),
    )
    yield loops.wrong("never-cleared", drop(STOPPING, "optimizer.zero_grad()"), STOPPING, tempts=("missing-zero-grad",))
    yield loops.wrong(
        "cleared-once-an-epoch",
        swap(
            drop(STOPPING, "optimizer.zero_grad()"),
            "        window = 0.0\n        for",
            "        window = 0.0\n        optimizer.zero_grad()\n        for",
        ),
        STOPPING,
        tempts=("missing-zero-grad",),
    )


def cases() -> Iterator[Case]:
    yield from number_or_tensor()
    yield from kept_for_a_later_backward()
    yield from early_stopping()
