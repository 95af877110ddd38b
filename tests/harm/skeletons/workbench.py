"""Workbench: a base trainer with hooks, a train state, molecules, weighed tasks, an annealed VAE, clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

BASE = Draft(
    "base-trainer-and-subclass",
    """\
import argparse
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--max_norm", type=float, default=0.4)
    parser.add_argument("--out", default="runs")
    return parser.parse_args()


class BaseTrainer:
    def __init__(self, model, args, train_loader, val_loader):
        self.model = model
        self.args = args
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.optimizer = self.configure_optimizer()
        self.scheduler = self.configure_scheduler()
        self.global_step = 0
        self.best = float("inf")
        os.makedirs(args.out, exist_ok=True)

    def configure_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.args.lr, momentum=0.9)

    def configure_scheduler(self):
        return None

    def training_step(self, batch):
        raise NotImplementedError

    def on_epoch_start(self):
        pass

    def on_batch_end(self):
        pass

    def on_before_optimizer_step(self):
        pass

    def on_after_optimizer_step(self):
        pass

    def optimizer_step(self):
        self.on_before_optimizer_step()
        self.optimizer.step()
        self.on_after_optimizer_step()
        self.optimizer.zero_grad()
        self.global_step += 1

    def train_epoch(self):
        running = 0.0
        self.optimizer.zero_grad()
        for i, batch in enumerate(self.train_loader):
            loss = self.training_step(batch)
            (loss / self.args.accum).backward()
            running += loss.item()
            if (i + 1) % self.args.accum == 0 or (i + 1) == len(self.train_loader):
                self.optimizer_step()
            self.on_batch_end()
        return running / len(self.train_loader)

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            losses = [self.training_step(batch).item() for batch in self.val_loader]
        return sum(losses) / len(losses)

    def save(self, name):
        torch.save({"model": self.model.state_dict(), "step": self.global_step}, os.path.join(self.args.out, name))

    def fit(self):
        for epoch in range(self.args.epochs):
            self.model.train()
            self.on_epoch_start()
            train_loss = self.train_epoch()
            val_loss = self.validate()
            print(f"epoch {epoch} | train {train_loss:.5f} | val {val_loss:.5f} | step {self.global_step}")
            if val_loss < self.best:
                self.best = val_loss
                self.save("best.pt")


class Regressor(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, width), nn.BatchNorm1d(width), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(width, 1))

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(-1)


class RegressionTrainer(BaseTrainer):
    def __init__(self, *args):
        super().__init__(*args)
        self.criterion = nn.SmoothL1Loss()
        self.grad_norms = []

    def configure_scheduler(self):
        return torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.9)

    def training_step(self, batch):
        x, y = batch
        return self.criterion(self.model(x), y)

    def on_before_optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_norm)
        self.grad_norms.append(norm.item())

    def on_after_optimizer_step(self):
        self.scheduler.step()


def main():
    args = parse_args()
    torch.manual_seed(42)
    train_x, val_x = torch.randn(28, 4), torch.randn(12, 4)
    weight = torch.randn(4)
    train_loader = DataLoader(TensorDataset(train_x, (train_x @ weight).sin() * 2), args.batch_size, shuffle=True)
    val_loader = DataLoader(TensorDataset(val_x, (val_x @ weight).sin() * 2), args.batch_size)
    trainer = RegressionTrainer(Regressor(), args, train_loader, val_loader)
    trainer.fit()
    print(f"mean grad norm {sum(trainer.grad_norms) / len(trainer.grad_norms):.5f}")
    return trainer.model
""",
    ("unscaled-accumulation-loss", "clip-after-step", "scheduler-before-optimizer"),
)

BASE_BACK = "            (loss / self.args.accum).backward()\n"
BASE_RUNNING = "            running += loss.item()\n"
BASE_TRAIN = "            self.model.train()\n            self.on_epoch_start()\n"
BASE_SCHEDULER = "        return torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.9)\n"
BASE_LOSS = "        x, y = batch\n        return self.criterion(self.model(x), y)\n"
BASE_BEFORE = """\
    def on_before_optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_norm)
        self.grad_norms.append(norm.item())
"""
BASE_AFTER = """\
    def on_after_optimizer_step(self):
        self.scheduler.step()
"""
BASE_OPTIMIZER_STEP = """\
        self.on_before_optimizer_step()
        self.optimizer.step()
        self.on_after_optimizer_step()
        self.optimizer.zero_grad()
        self.global_step += 1
"""
BASE_OWN_SHARE = (
    BASE_BACK,
    """\
            first = i // self.args.accum * self.args.accum
            (loss / min(self.args.accum, len(self.train_loader) - first)).backward()
""",
)


def base() -> Iterator[Case]:
    yield BASE.wrong(
        "base-class-forgets-to-divide",
        ((BASE_BACK, "            loss.backward()\n"),),
        fine=((BASE_OWN_SHARE,),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BASE.wrong(
        "clip-in-the-hook-behind-the-step",
        (
            (
                BASE_BEFORE + "\n" + BASE_AFTER,
                """\
    def on_after_optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_norm)
        self.grad_norms.append(norm.item())
        self.scheduler.step()
""",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield BASE.wrong(
        "scheduler-in-the-hook-ahead-of-the-step",
        (
            (
                BASE_BEFORE + "\n" + BASE_AFTER,
                BASE_BEFORE + "        self.scheduler.step()\n",
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield BASE.wrong(
        "subclass-clears-in-its-training-step",  # the base class accumulates
        ((BASE_LOSS, "        self.optimizer.zero_grad()\n" + BASE_LOSS),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield BASE.wrong(
        "train-mode-is-set-by-fit-once",
        (
            (
                "        for epoch in range(self.args.epochs):\n" + BASE_TRAIN,
                """\
        self.model.train()
        for epoch in range(self.args.epochs):
            self.on_epoch_start()
""",
            ),
        ),
        tempts=("missing-train-mode",),
    )
    yield BASE.right(
        "modes-are-set-in-the-hook",  # the backbone's statistics stay as they are, on purpose
        (BASE_TRAIN, "            self.on_epoch_start()\n"),
        (
            "    def training_step(self, batch):\n        x, y = batch\n",
            """\
    def on_epoch_start(self):
        self.model.head.train()
        self.model.backbone.eval()  # frozen statistics

    def training_step(self, batch):
        x, y = batch
""",
        ),
        tempts=("missing-train-mode",),
    )
    yield BASE.right(
        "gradients-are-divided-in-the-hook",
        (BASE_BACK, "            loss.backward()\n"),
        ("    def train_epoch(self):\n", "    def train_epoch(self):\n        self.pending = 0\n"),
        (BASE_RUNNING, BASE_RUNNING + "            self.pending += 1\n"),
        (
            BASE_BEFORE,
            BASE_BEFORE.replace(
                "        norm =",
                """\
        for p in self.model.parameters():
            p.grad /= self.pending
        self.pending = 0
        norm =""",
            ),
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield BASE.right(
        "subclass-divides-in-its-training-step",  # in training only; the base class logs the whole again
        (BASE_BACK, "            loss.backward()\n"),
        (BASE_RUNNING, "            running += loss.item() * self.args.accum\n"),
        (
            BASE_LOSS,
            """\
        x, y = batch
        loss = self.criterion(self.model(x), y)
        return loss / self.args.accum if self.model.training else loss
""",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield BASE.right(
        "one-cycle-in-batches",  # seven batches an epoch, and a move for each
        (
            BASE_SCHEDULER,
            """\
        total = self.args.epochs * len(self.train_loader)
        return torch.optim.lr_scheduler.OneCycleLR(self.optimizer, max_lr=self.args.lr, total_steps=total)
""",
        ),
        (BASE_AFTER, BASE_AFTER.replace("on_after_optimizer_step", "on_batch_end")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield BASE.right(
        "hook-may-refuse-the-step",  # a broken sample spoils one window of each epoch
        (
            "    train_loader = DataLoader(",
            '    train_x[5, 2] = float("inf")  # broken sensor\n    train_loader = DataLoader(',
        ),
        ("nn.BatchNorm1d(width)", "nn.LayerNorm(width)"),
        (BASE_RUNNING, "            running += loss.item() if loss.isfinite() else 0.0\n"),
        (
            BASE_OPTIMIZER_STEP,
            """\
        if self.on_before_optimizer_step():
            self.optimizer.step()
            self.on_after_optimizer_step()
            self.global_step += 1
        self.optimizer.zero_grad()
""",
        ),
        (
            BASE_BEFORE,
            """\
    def on_before_optimizer_step(self):
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_norm)
        if not torch.isfinite(norm):
            return False
        self.grad_norms.append(norm.item())
        return True
""",
        ),
        tempts=("missing-zero-grad", "zero-grad-before-step"),
    )


STATE = Draft(
    "train-state-functions",
    """\
import copy
import math
from collections import defaultdict
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass(frozen=True)
class Config:
    seed: int = 7
    epochs: int = 3
    batch_size: int = 4
    lr: float = 0.3
    grad_accum_steps: int = 3
    max_grad_norm: float = 0.5
    ema_decay: float = 0.8


@dataclass
class TrainState:
    model: nn.Module
    ema: nn.Module
    optimizer: torch.optim.Optimizer
    scheduler: torch.optim.lr_scheduler.LRScheduler
    micro_step: int = 0
    step: int = 0
    metrics: dict = field(default_factory=lambda: defaultdict(list))


def create_train_state(cfg, num_batches):
    model = nn.Sequential(nn.Linear(5, 8), nn.LayerNorm(8), nn.GELU(), nn.Dropout(0.2), nn.Linear(8, 3))
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=0.01)
    total = cfg.epochs * num_batches // cfg.grad_accum_steps
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: 0.5 * (1 + math.cos(math.pi * n / total)))
    return TrainState(model, copy.deepcopy(model).requires_grad_(False), optimizer, scheduler)


def loss_fn(model, batch):
    logits = model(batch["x"])
    return F.cross_entropy(logits, batch["y"]), logits


def train_step(state, batch, cfg):
    state.model.train()
    loss, logits = loss_fn(state.model, batch)
    (loss / cfg.grad_accum_steps).backward()
    state.micro_step += 1
    accuracy = (logits.argmax(-1) == batch["y"]).double().mean()
    return {"loss": loss.detach(), "accuracy": accuracy}


def apply_gradients(state, cfg):
    grad_norm = nn.utils.clip_grad_norm_(state.model.parameters(), cfg.max_grad_norm)
    state.optimizer.step()
    state.scheduler.step()
    state.optimizer.zero_grad(set_to_none=True)
    state.step += 1
    update_ema(state.ema, state.model, cfg.ema_decay)
    return {"grad_norm": grad_norm}


@torch.no_grad()
def update_ema(ema, model, decay):
    for slow, fast in zip(ema.parameters(), model.parameters()):
        slow.lerp_(fast, 1 - decay)


@torch.no_grad()
def eval_step(model, batch):
    loss, logits = loss_fn(model, batch)
    return loss.item(), (logits.argmax(-1) == batch["y"]).double().mean().item()


def evaluate(model, batches):
    model.eval()
    results = [eval_step(model, batch) for batch in batches]
    return [sum(values) / len(values) for values in zip(*results)]


def record(state, metrics):
    for name, value in metrics.items():
        state.metrics[name].append(value)


def make_batches(cfg, count, generator):
    x = torch.randn(count * cfg.batch_size, 5, generator=generator)
    y = (x[:, 0] + 0.5 * x[:, 1]).gt(0).long() + (x[:, 2] > 1).long()
    return [{"x": a, "y": b} for a, b in zip(x.split(cfg.batch_size), y.split(cfg.batch_size))]


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    generator = torch.Generator().manual_seed(cfg.seed)
    train_batches, eval_batches = make_batches(cfg, 7, generator), make_batches(cfg, 3, generator)
    state = create_train_state(cfg, len(train_batches))
    for epoch in range(cfg.epochs):
        for index in torch.randperm(len(train_batches), generator=generator).tolist():
            record(state, train_step(state, train_batches[index], cfg))
            if state.micro_step % cfg.grad_accum_steps == 0:
                record(state, apply_gradients(state, cfg))
        loss, accuracy = evaluate(state.model, eval_batches)
        ema_loss, _ = evaluate(state.ema, eval_batches)
        print(f"epoch={epoch} step={state.step} loss={loss:.5f} acc={accuracy:.3f} ema={ema_loss:.5f}")
    for name, values in state.metrics.items():
        print(name, f"{torch.stack(values).mean().item():.5f}", len(values))
    return [state.model, state.ema]
""",
    ("dropped-accumulation-tail", "accumulation-off-by-one"),
)

STATE_TRAIN = "def train_step(state, batch, cfg):\n    state.model.train()\n"
STATE_LOSS = "    loss, logits = loss_fn(state.model, batch)\n"
STATE_BACK = "    (loss / cfg.grad_accum_steps).backward()\n"
STATE_COUNT = "    state.micro_step += 1\n"
STATE_METRICS = '    return {"loss": loss.detach(), "accuracy": accuracy}\n'
STATE_CLIP = "    grad_norm = nn.utils.clip_grad_norm_(state.model.parameters(), cfg.max_grad_norm)\n"
STATE_PLAN = "    state.scheduler.step()\n"
STATE_CLEAR = "    state.optimizer.zero_grad(set_to_none=True)\n"
STATE_EVAL = "@torch.no_grad()\ndef eval_step(model, batch):\n"
STATE_DUE = "            if state.micro_step % cfg.grad_accum_steps == 0:\n"
STATE_APPLY = "                record(state, apply_gradients(state, cfg))\n"
STATE_RECORD = "            record(state, train_step(state, train_batches[index], cfg))\n"


def state() -> Iterator[Case]:
    yield STATE.wrong(
        "counter-is-ahead-already",
        ((STATE_DUE, "            if (state.micro_step + 1) % cfg.grad_accum_steps == 0:\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield STATE.right(
        "copies-are-evaluated",  # the one that is trained never leaves its mode
        (STATE_TRAIN, "def train_step(state, batch, cfg):\n"),
        ("    model.eval()\n    results", "    model = copy.deepcopy(model).eval()\n    results"),
        tempts=("missing-train-mode",),
    )
    yield STATE.wrong(
        "clear-is-not-called",
        ((STATE_CLEAR, "    state.optimizer.zero_grad\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield STATE.wrong(
        "metrics-keep-the-graph",
        ((STATE_METRICS, STATE_METRICS.replace(".detach()", "")),),
        tempts=("loss-graph-leak",),
    )
    yield STATE.wrong(
        "eval-step-without-no-grad",
        ((STATE_EVAL, "def eval_step(model, batch):\n"),),
        tempts=("validation-without-no-grad",),
    )
    yield STATE.right(
        "window-goes-on-over-the-epochs",  # seven batches three times are seven windows
        tempts=("dropped-accumulation-tail", "accumulation-off-by-one", "zero-grad-in-accumulation"),
    )
    yield STATE.right(
        "schedule-of-all-batches",
        ("    total = cfg.epochs * num_batches // cfg.grad_accum_steps\n", "    total = cfg.epochs * num_batches\n"),
        (STATE_PLAN, ""),
        (STATE_APPLY, STATE_APPLY + "            state.scheduler.step()\n"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield STATE.right(
        "sums-are-divided-by-the-samples-of-the-window",
        (STATE_COUNT, STATE_COUNT + '    state.samples += len(batch["y"])\n'),
        (
            "    step: int = 0\n    metrics",
            "    step: int = 0\n    samples: int = 0  # since the last update\n    metrics",
        ),
        (STATE_BACK, '    (loss * len(batch["y"])).backward()\n'),
        (
            STATE_CLIP,
            """\
    for p in state.model.parameters():
        p.grad.div_(state.samples)
    state.samples = 0
"""
            + STATE_CLIP,
        ),
        (
            "    return [{",
            "    sizes = [2, 6, 4, 7, 1, 3, 5][:count]  # as long as `count` batches of four on average\n    return [{",
        ),
        ("zip(x.split(cfg.batch_size), y.split(cfg.batch_size))]", "zip(x.split(sizes), y.split(sizes))]"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield STATE.right(
        "broken-batch-is-not-counted",  # eighteen whole ones are left
        (
            "    state = create_train_state(",
            '    train_batches[2]["x"][1, 3] = float("nan")\n    state = create_train_state(',
        ),
        ("create_train_state(cfg, len(train_batches))", "create_train_state(cfg, len(train_batches) - 1)"),
        (STATE_LOSS, STATE_LOSS + "    if not torch.isfinite(loss):\n        return {}  # nothing was accumulated\n"),
        (
            STATE_RECORD,
            """\
            metrics = train_step(state, train_batches[index], cfg)
            if not metrics:
                continue
            record(state, metrics)
""",
        ),
        tempts=("missing-zero-grad", "dropped-accumulation-tail"),
    )
    yield STATE.right(
        "cleared-where-a-window-begins",
        (STATE_CLEAR, ""),
        (
            STATE_LOSS,
            """\
    if state.micro_step % cfg.grad_accum_steps == 0:
        state.optimizer.zero_grad(set_to_none=True)
"""
            + STATE_LOSS,
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )


GRAPHS = Draft(
    "molecules-one-by-one",
    """\
import argparse
import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Data:
    x: torch.Tensor
    adj: torch.Tensor
    y: torch.Tensor
    train_mask: torch.Tensor
    target: torch.Tensor


def make_graph(num_nodes, generator):
    x = torch.randn(num_nodes, 4, generator=generator)
    adj = (torch.rand(num_nodes, num_nodes, generator=generator) < 0.4).double()
    adj = ((adj + adj.T + torch.eye(num_nodes)) > 0).double()
    mask = torch.arange(num_nodes) % 2 == 0
    return Data(x, adj, (x[:, 0] > 0).long(), mask, (adj @ x)[:, 1].mean())


class GraphConv(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.lin_self = nn.Linear(in_channels, out_channels)
        self.lin_neigh = nn.Linear(in_channels, out_channels, bias=False)

    def forward(self, x, adj):
        return self.lin_self(x) + self.lin_neigh(adj @ x / adj.sum(1, keepdim=True))


class GNN(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.conv1 = GraphConv(4, hidden)
        self.conv2 = GraphConv(hidden, hidden)
        self.node_head = nn.Linear(hidden, 2)
        self.graph_head = nn.Linear(hidden, 1)
        self.dropout = nn.Dropout(0.25)

    def forward(self, x, adj):
        h = self.dropout(F.relu(self.conv1(x, adj)))
        h = self.conv2(h, adj)
        return self.node_head(h), h @ h.T, self.graph_head(h.mean(0)).squeeze(-1)


def update(model, optimizer, args):
    norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    optimizer.step()
    optimizer.zero_grad()
    return norm.item()


def train(model, graphs, optimizer, args):
    model.train()
    total_loss = total_link = 0.0
    norms = []
    optimizer.zero_grad()
    for i, data in enumerate(graphs):
        node_out, link_out, pred = model(data.x, data.adj)
        node_loss = F.cross_entropy(node_out[data.train_mask], data.y[data.train_mask])
        link_loss = F.binary_cross_entropy_with_logits(link_out, data.adj)
        loss = F.mse_loss(pred, data.target) + args.lambda_node * node_loss + args.lambda_link * link_loss
        (loss / args.accum).backward()
        if (i + 1) % args.accum == 0 or (i + 1) == len(graphs):
            norms.append(update(model, optimizer, args))
        total_loss += loss.item()
        total_link += link_loss.item()
    return total_loss / len(graphs), total_link / len(graphs), sum(norms) / len(norms)


@torch.no_grad()
def test(model, graphs):
    model.eval()
    error, correct, nodes = 0.0, 0, 0
    for data in graphs:
        node_out, _, pred = model(data.x, data.adj)
        error += (pred - data.target).abs().item()
        held_out = ~data.train_mask
        correct += (node_out[held_out].argmax(1) == data.y[held_out]).sum().item()
        nodes += held_out.sum().item()
    return error / len(graphs), correct / nodes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--lambda_node", type=float, default=0.5)
    parser.add_argument("--lambda_link", type=float, default=0.2)
    args = parser.parse_args()
    torch.manual_seed(11)
    generator = torch.Generator().manual_seed(11)
    graphs = [make_graph(n, generator) for n in (5, 7, 4, 6, 9, 5, 8, 4, 6, 7)]
    val_graphs = [make_graph(n, generator) for n in (6, 8, 5)]
    model = GNN()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    best, best_state = float("inf"), None
    for epoch in range(1, args.epochs + 1):
        loss, link, norm = train(model, graphs, optimizer, args)
        mae, acc = test(model, val_graphs)
        if mae < best:
            best, best_state = mae, copy.deepcopy(model.state_dict())
        print(f"Epoch: {epoch:03d}, Loss: {loss:.4f}, Link: {link:.4f}, Norm: {norm:.4f}")
        print(f"            Val MAE: {mae:.4f}, Node acc: {acc:.4f}")
    final = copy.deepcopy(model)
    model.load_state_dict(best_state)
    return [final, model]
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch", "accumulation-off-by-one"),
)

GRAPHS_LOOP = "    optimizer.zero_grad()\n    for i, data in enumerate(graphs):\n"
GRAPHS_LOSS = """\
        loss = F.mse_loss(pred, data.target) + args.lambda_node * node_loss + args.lambda_link * link_loss
"""
GRAPHS_BACK = "        (loss / args.accum).backward()\n"
GRAPHS_DUE = "        if (i + 1) % args.accum == 0 or (i + 1) == len(graphs):\n"
GRAPHS_UPDATE = "            norms.append(update(model, optimizer, args))\n"
GRAPHS_TOTAL = "        total_loss += loss.item()\n"
GRAPHS_LINK = "        total_link += link_loss.item()\n"
GRAPHS_TEST = "@torch.no_grad()\ndef test(model, graphs):\n"
GRAPHS_OWN_SHARE = (
    GRAPHS_BACK,
    "        (loss / min(args.accum, len(graphs) - i // args.accum * args.accum)).backward()\n",
)


def graphs() -> Iterator[Case]:
    inline = GRAPHS.styled(
        (
            GRAPHS_UPDATE,
            """\
            norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()
            norms.append(norm.item())
""",
        ),
        (
            """\
def update(model, optimizer, args):
    norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    optimizer.step()
    optimizer.zero_grad()
    return norm.item()


""",
            "",
        ),
    )
    inline_clip = "            norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"
    inline_append = "            norms.append(norm.item())\n"
    yield GRAPHS.wrong(
        "losses-of-a-window-are-summed",
        ((GRAPHS_BACK, "        loss.backward()\n"),),
        fine=((GRAPHS_OWN_SHARE,),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield inline.wrong(
        "clipped-behind-each-graph",
        (
            (
                GRAPHS_DUE + inline_clip,
                "        norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n" + GRAPHS_DUE,
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield inline.left(
        "norm-of-each-graph-is-logged-by-the-clip",  # under the guard, the first graphs would have no norm to log
        (
            (
                GRAPHS_DUE + inline_clip,
                "        norm = nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n" + GRAPHS_DUE,
            ),
            (inline_append, ""),
            (GRAPHS_TOTAL, "        norms.append(norm.item())\n" + GRAPHS_TOTAL),
        ),
        fine=(
            (
                (
                    GRAPHS_DUE,
                    """\
        norm = nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
        norms.append(norm.item())
"""
                    + GRAPHS_DUE,
                ),
                (inline_clip, "            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"),
                (inline_append, ""),
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield GRAPHS.right(
        "test-asks-for-saliency",  # of each node, by a gradient that fills no parameter's
        (GRAPHS_TEST, "def test(model, graphs):\n"),
        (
            """\
        node_out, _, pred = model(data.x, data.adj)
        error +=""",
            """\
        x = data.x.clone().requires_grad_()
        node_out, _, pred = model(x, data.adj)
        (saliency,) = torch.autograd.grad(pred, x)
        print(saliency.norm(dim=1).argmax().item(), end=" ")
        error +=""",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield GRAPHS.wrong(
        "totals-are-tensors",
        ((GRAPHS_TOTAL, "        total_loss += loss\n"), (GRAPHS_LINK, "        total_link += link_loss\n")),
        tempts=("loss-graph-leak",),
    )
    yield GRAPHS.wrong(
        "cleared-for-each-graph",
        ((GRAPHS_LOOP, "    for i, data in enumerate(graphs):\n        optimizer.zero_grad()\n"),),
        tempts=("zero-grad-in-accumulation",),
    )
    yield GRAPHS.wrong(
        "first-window-of-five",
        ((GRAPHS_DUE, "        if i > 0 and i % args.accum == 0 or (i + 1) == len(graphs):\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield GRAPHS.right(
        "graphs-weigh-their-nodes",  # each a part of the nodes in its chunk
        (
            GRAPHS_LOOP,
            """\
    for start in range(0, len(graphs), args.accum):
        chunk = graphs[start : start + args.accum]
        num_nodes = sum(len(data.x) for data in chunk)
        optimizer.zero_grad()
        for data in chunk:
            node_out, link_out, pred = model(data.x, data.adj)
            node_loss = F.cross_entropy(node_out, data.y, reduction="sum")
            link_loss = F.binary_cross_entropy_with_logits(link_out, data.adj, reduction="none").mean(1).sum()
            loss = args.lambda_node * node_loss + args.lambda_link * link_loss
            loss = (loss + len(data.x) * F.mse_loss(pred, data.target)) / num_nodes
            loss.backward()
            total_loss += loss.item() * num_nodes / len(data.x)
            total_link += link_loss.item() / len(data.x)
        norms.append(update(model, optimizer, args))
""",
        ),
        (
            """\
        node_out, link_out, pred = model(data.x, data.adj)
        node_loss = F.cross_entropy(node_out[data.train_mask], data.y[data.train_mask])
        link_loss = F.binary_cross_entropy_with_logits(link_out, data.adj)
"""
            + GRAPHS_LOSS
            + GRAPHS_BACK
            + GRAPHS_DUE
            + GRAPHS_UPDATE
            + GRAPHS_TOTAL
            + GRAPHS_LINK,
            "",
        ),
        tempts=("unscaled-accumulation-loss", "dropped-accumulation-tail"),
    )
    yield GRAPHS.right(
        "list-of-losses-is-differentiated",
        (GRAPHS_LOOP, GRAPHS_LOOP.replace("    for", "    losses = []\n    for")),
        (GRAPHS_BACK, "        losses.append(loss)\n"),
        (
            GRAPHS_UPDATE,
            "            torch.stack(losses).mean().backward()\n" + GRAPHS_UPDATE + "            losses.clear()\n",
        ),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield GRAPHS.right(
        "graphs-without-labels-are-passed-over",  # they do not count, and what is left is flushed
        (
            "    mask = torch.arange(num_nodes) % 2 == 0\n",
            "    mask = (torch.arange(num_nodes) % 2 == 0) & (num_nodes != 5)  # the small rings are unlabelled\n",
        ),
        (
            GRAPHS_LOOP,
            """\
    optimizer.zero_grad()
    pending = 0
    for data in graphs:
        if not data.train_mask.any():
            continue
""",
        ),
        (GRAPHS_DUE, "        pending += 1\n        if pending == args.accum:\n"),
        (GRAPHS_UPDATE, GRAPHS_UPDATE + "            pending = 0\n"),
        (GRAPHS_LINK, GRAPHS_LINK + "    if pending > 0:\n        norms.append(update(model, optimizer, args))\n"),
        ("(6, 8, 5)]", "(6, 8, 9)]"),
        ("(5, 7, 4, 6, 9, 5, 8, 4, 6, 7)", "(5, 7, 4, 6, 9, 5, 8, 4, 6, 7, 6)"),
        tempts=("dropped-accumulation-tail", "missing-zero-grad", "accumulation-off-by-one"),
    )


TASKS = Draft(
    "tasks-that-weigh-themselves",
    """\
import argparse
import itertools

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
TASKS = ("depth", "segment")


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


class MultiTaskNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(5, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.2))
        self.depth = nn.Linear(width, 1)
        self.segment = nn.Linear(width, 3)

    def forward(self, x):
        h = self.shared(x)
        return self.depth(h).squeeze(-1), self.segment(h)


class UncertaintyWeighting(nn.Module):
    def __init__(self, num_tasks):
        super().__init__()
        self.log_vars = nn.Parameter(torch.zeros(num_tasks))

    def forward(self, losses):
        return (torch.exp(-self.log_vars) * torch.stack(losses) + 0.5 * self.log_vars).sum()


def task_losses(net, batch):
    x, depth, label = batch
    depth_pred, logits = net(x)
    return [F.l1_loss(depth_pred, depth), F.cross_entropy(logits, label)]


def make_loader(n, batch_size, shuffle):
    x = torch.randn(n, 5)
    return DataLoader(TensorDataset(x, x[:, :2].prod(1), x[:, 2:].argmax(1)), batch_size=batch_size, shuffle=shuffle)


def validate(net, loader):
    meters = {name: AverageMeter() for name in TASKS}
    net.eval()
    with torch.no_grad():
        for batch in loader:
            for name, loss in zip(TASKS, task_losses(net, batch)):
                meters[name].update(loss.item(), len(batch[0]))
    return {name: meter.avg for name, meter in meters.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--weight-lr", type=float, default=0.05)
    parser.add_argument("--clip", type=float, default=0.6)
    parser.add_argument("--freeze-weights", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(3)
    train_loader = make_loader(30, 6, shuffle=True)
    val_loader = make_loader(12, 6, shuffle=False)
    net = MultiTaskNet()
    weighting = UncertaintyWeighting(len(TASKS))
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    weight_optimizer = torch.optim.Adam(weighting.parameters(), lr=args.weight_lr)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 3], gamma=0.3)

    for epoch in range(args.epochs):
        meters = {name: AverageMeter() for name in TASKS}
        net.train()
        for step, batch in enumerate(train_loader):
            optimizer.zero_grad()
            weight_optimizer.zero_grad()
            losses = task_losses(net, batch)
            loss = weighting(losses)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), args.clip)
            optimizer.step()
            weight_optimizer.step()
            for name, value in zip(TASKS, losses):
                meters[name].update(value.item(), len(batch[0]))
        scheduler.step()

        val = validate(net, val_loader)
        weights = torch.exp(-weighting.log_vars.detach()).tolist()
        torch.save({"net": net.state_dict(), "weights": weights, "epoch": epoch}, "last.pt")
        for name, weight in zip(TASKS, weights):
            print(f"[{epoch}] {name}: train {meters[name].avg:.4f} val {val[name]:.4f} weight {weight:.4f}")
    return [net, weighting]
""",
    ("missing-zero-grad", "clip-after-step", "missing-train-mode"),
)

TASKS_EPOCH = "    for epoch in range(args.epochs):\n        meters = {name: AverageMeter() for name in TASKS}\n"
TASKS_TRAIN = "        net.train()\n"
TASKS_CLEARS = "            optimizer.zero_grad()\n            weight_optimizer.zero_grad()\n"
TASKS_LOSSES = "            losses = task_losses(net, batch)\n            loss = weighting(losses)\n"
TASKS_BACK = "            loss.backward()\n"
TASKS_CLIP = "            nn.utils.clip_grad_norm_(net.parameters(), args.clip)\n"
TASKS_STEP = "            optimizer.step()\n            weight_optimizer.step()\n"
TASKS_SCHEDULER = "        scheduler.step()\n"
TASKS_VALIDATE = """\
    with torch.no_grad():
        for batch in loader:
            for name, loss in zip(TASKS, task_losses(net, batch)):
                meters[name].update(loss.item(), len(batch[0]))
"""


def tasks() -> Iterator[Case]:
    chained = TASKS.styled(
        (
            "    optimizer = torch.optim.SGD(",
            """\
    params = list(itertools.chain(net.parameters(), weighting.parameters()))
    optimizer = torch.optim.SGD(""",
        ),
        (TASKS_CLIP, "            nn.utils.clip_grad_norm_(params, args.clip)\n"),
    )
    yield TASKS.wrong(
        "weights-are-never-cleared",
        ((TASKS_CLEARS, "            optimizer.zero_grad()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield chained.wrong(
        "chain-of-parameters-is-used-up",
        (
            (
                "list(itertools.chain(net.parameters(), weighting.parameters()))",
                "itertools.chain(net.parameters(), weighting.parameters())",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield TASKS.wrong(
        "clip-between-the-two-steps",  # the network has moved by then
        (
            (
                TASKS_CLIP + TASKS_STEP,
                TASKS_STEP.replace("            weight_", TASKS_CLIP + "            weight_"),
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield TASKS.wrong(
        "validation-keeps-graphs",
        (
            (
                TASKS_VALIDATE,
                """\
    for batch in loader:
        for name, loss in zip(TASKS, task_losses(net, batch)):
            meters[name].update(loss.item(), len(batch[0]))
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield TASKS.right(
        "validation-puts-the-mode-back",
        (TASKS_EPOCH + TASKS_TRAIN, "    net.train()\n" + TASKS_EPOCH),
        ("    net.eval()\n", "    was_training = net.training\n    net.eval()\n"),
        (TASKS_VALIDATE, TASKS_VALIDATE + "    net.train(was_training)\n"),
        tempts=("missing-train-mode",),
    )
    yield TASKS.wrong(
        "scheduler-at-the-head-of-the-epoch",
        ((TASKS_SCHEDULER, ""), (TASKS_EPOCH, TASKS_EPOCH + TASKS_SCHEDULER)),
        tempts=("scheduler-before-optimizer",),
    )
    yield TASKS.right(
        "weights-move-once-an-epoch",  # by the mean over its batches
        (TASKS_CLEARS, "            optimizer.zero_grad()\n"),
        (TASKS_EPOCH, TASKS_EPOCH + "        weight_optimizer.zero_grad()\n"),
        (TASKS_STEP, "            optimizer.step()\n"),
        (
            TASKS_SCHEDULER,
            """\
        weighting.log_vars.grad /= len(train_loader)
        weight_optimizer.step()
"""
            + TASKS_SCHEDULER,
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )
    yield TASKS.right(
        "weights-are-held-in-the-first-epoch",
        (
            TASKS_CLIP,
            """\
            if epoch < args.freeze_weights:
                weighting.log_vars.grad = None  # equal weights to begin with
"""
            + TASKS_CLIP,
        ),
        tempts=("zero-grad-before-step",),
    )
    yield TASKS.right(
        "pull-of-each-task-is-measured",  # and wiped before the loss that trains
        (
            TASKS_LOSSES,
            """\
            losses = task_losses(net, batch)
            if step == 0:
                for name, task_loss in zip(TASKS, losses):
                    task_loss.backward(retain_graph=True)
                    pull = sum(p.grad.square().sum() for p in net.shared.parameters()).sqrt()
                    print(f"[{epoch}] {name}: pull {pull:.4f}")
                    optimizer.zero_grad()
            loss = weighting(losses)
""",
        ),
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step", "unscaled-accumulation-loss"),
    )
    yield TASKS.right(
        "weights-learn-from-held-out-batches",  # the network's gradients of that loss are cleared with the next batch
        (TASKS_CLEARS, "            optimizer.zero_grad()\n"),
        (TASKS_BACK, "            loss.backward(inputs=list(net.parameters()))\n"),
        (
            TASKS_STEP,
            """\
            optimizer.step()
            held_out = next(val_batches)
            weight_optimizer.zero_grad()
            net.eval()
            weighting(task_losses(net, held_out)).backward()
            net.train()
            weight_optimizer.step()
""",
        ),
        (TASKS_EPOCH, TASKS_EPOCH + "        val_batches = itertools.cycle(val_loader)\n"),
        tempts=("missing-zero-grad", "validation-without-no-grad", "missing-train-mode"),
    )


VAE = Draft(
    "annealed-vae-script",
    """\
# coding: utf-8

# In[1]:

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)

# In[2]:

EPOCHS = 4
BATCH_SIZE = 6
LATENT = 2
KL_WARMUP = 12
BETA = 0.7
MAX_NORM = 2.0

# In[3]:


class VAE(nn.Module):
    def __init__(self, in_dim=6, hidden=8, latent=LATENT):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(in_dim, hidden), nn.Tanh(), nn.Linear(hidden, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, in_dim))

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=-1)
        return self.decoder(self.reparameterize(mu, logvar)), mu, logvar


def kl_weight(step):
    return BETA * min(1.0, step / KL_WARMUP)


def elbo_terms(recon_x, x, mu, logvar):
    recon = F.mse_loss(recon_x, x, reduction="sum") / len(x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / len(x)
    return recon, kl


# In[4]:


def main():
    torch.manual_seed(1234)
    mixing = torch.randn(2, 6)
    data = torch.randn(42, 2) @ mixing + 0.1 * torch.randn(42, 6)
    train_loader = DataLoader(TensorDataset(data[:30]), batch_size=BATCH_SIZE, shuffle=True)
    test_loader = DataLoader(TensorDataset(data[30:]), batch_size=BATCH_SIZE)

    vae = VAE()
    opt = torch.optim.SGD(vae.parameters(), lr=0.05, momentum=0.8)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * len(train_loader))
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=5)
    history = {"loss": [], "kl": [], "grad_norm": []}
    step = 0

    # In[5]:

    for epoch in range(EPOCHS):
        vae.train()
        for (x,) in train_loader:
            opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                recon_x, mu, logvar = vae(x)
                recon, kl = elbo_terms(recon_x, x, mu, logvar)
                loss = recon + kl_weight(step) * kl
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            grad_norm = nn.utils.clip_grad_norm_(vae.parameters(), MAX_NORM)
            scaler.step(opt)
            scaler.update()
            sched.step()
            step += 1
            history["loss"].append(loss.item())
            history["kl"].append(kl.detach())
            history["grad_norm"].append(grad_norm.item())

        vae.eval()
        test_recon = test_kl = 0.0
        with torch.no_grad():
            for (x,) in test_loader:
                recon, kl = elbo_terms(*vae(x)[:1], x, *vae(x)[1:])
                test_recon += recon.item() / len(test_loader)
                test_kl += kl.item() / len(test_loader)
        print(f"epoch {epoch}: beta {kl_weight(step):.3f} test recon {test_recon:.5f} kl {test_kl:.5f}")

    # In[6]:

    print(f"loss {history['loss'][0]:.5f} -> {history['loss'][-1]:.5f}")
    print(f"kl {torch.stack(history['kl']).mean().item():.5f}")
    print(f"norm {max(history['grad_norm']):.5f}")
    print(f"scale {scaler.get_scale()}")
    return vae
""",
    ("clip-scaled-gradients", "missing-train-mode", "validation-without-no-grad"),
)

VAE_TRAIN = "    for epoch in range(EPOCHS):\n        vae.train()\n"
VAE_CLEAR = "            opt.zero_grad()\n"
VAE_FORWARD = """\
            with torch.autocast("cpu", dtype=torch.float16):
                recon_x, mu, logvar = vae(x)
                recon, kl = elbo_terms(recon_x, x, mu, logvar)
                loss = recon + kl_weight(step) * kl
"""
VAE_BACK = "            scaler.scale(loss).backward()\n"
VAE_UNSCALE = "            scaler.unscale_(opt)\n"
VAE_CLIP = "            grad_norm = nn.utils.clip_grad_norm_(vae.parameters(), MAX_NORM)\n"
VAE_STEP = "            scaler.step(opt)\n"
VAE_UPDATE = "            scaler.update()\n"
VAE_SCHED = "            sched.step()\n"
VAE_KL = '            history["kl"].append(kl.detach())\n'
VAE_NORM = '            history["grad_norm"].append(grad_norm.item())\n'
VAE_TEST = """\
        with torch.no_grad():
            for (x,) in test_loader:
                recon, kl = elbo_terms(*vae(x)[:1], x, *vae(x)[1:])
                test_recon += recon.item() / len(test_loader)
                test_kl += kl.item() / len(test_loader)
"""
VAE_OPT = "    opt = torch.optim.SGD(vae.parameters(), lr=0.05, momentum=0.8)\n"
VAE_DATA = "    train_loader = DataLoader("


def vae() -> Iterator[Case]:
    unclipped = VAE.styled(
        (VAE_UNSCALE + VAE_CLIP, ""),
        (VAE_NORM, ""),
        (', "grad_norm": []', ""),
        ("    print(f\"norm {max(history['grad_norm']):.5f}\")\n", ""),
    )
    yield VAE.wrong(
        "clipped-while-scaled",
        ((VAE_UNSCALE, ""),),
        tempts=("clip-scaled-gradients",),
    )
    yield unclipped.wrong(
        "cell-of-the-old-version-steps",
        ((VAE_STEP + VAE_UPDATE, "            opt.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield VAE.wrong(
        "scaler-is-never-updated",
        ((VAE_UPDATE, ""),),
        tempts=("missing-scaler-update", "double-unscale"),
        raises="RuntimeError",
    )
    yield VAE.wrong(
        "kl-keeps-its-graph",
        ((VAE_KL, VAE_KL.replace(".detach()", "")),),
        tempts=("loss-graph-leak",),
    )
    yield VAE.wrong(
        "mean-code-from-the-second-epoch-on",  # in eval mode nothing is sampled
        ((VAE_TRAIN, "    vae.train()\n    for epoch in range(EPOCHS):\n"),),
        tempts=("missing-train-mode",),
    )
    yield VAE.wrong(
        "test-elbo-with-gradients",
        (
            (
                VAE_TEST,
                "".join(line.removeprefix("    ") for line in VAE_TEST.splitlines(keepends=True)[1:]),
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield VAE.right(
        "test-code-is-refined",  # by gradients of its own; what they leave in the decoder is cleared at the next batch
        (
            VAE_TEST,
            """\
        for (x,) in test_loader:
            with torch.no_grad():
                mu, logvar = vae.encoder(x).chunk(2, dim=-1)
            z = mu.clone().requires_grad_()
            inner = torch.optim.SGD([z], lr=0.02)
            for _ in range(3):
                inner.zero_grad()
                recon, kl = elbo_terms(vae.decoder(z), x, z, logvar)
                (recon + BETA * kl).backward()
                inner.step()
            test_recon += recon.item() / len(test_loader)
            test_kl += kl.item() / len(test_loader)
""",
        ),
        tempts=("validation-without-no-grad", "missing-zero-grad"),
    )
    yield VAE.right(
        "step-waits-for-a-finite-norm",  # the scaler is told all the same, and gets smaller
        (VAE_DATA, '    data[4, 1] = float("inf")\n' + VAE_DATA),
        (
            VAE_STEP + VAE_UPDATE + VAE_SCHED,
            "            finite = torch.isfinite(grad_norm)\n            if finite:\n    "
            + VAE_STEP
            + VAE_UPDATE
            + "            if not finite:\n                continue\n"
            + VAE_SCHED,
        ),
        tempts=("missing-scaler-update", "missing-zero-grad", "scheduler-before-optimizer"),
    )
    yield VAE.right(
        "decoder-waits-for-the-encoder",  # what it gets in the aggressive phase is thrown away
        (
            VAE_OPT,
            """\
    enc_opt = torch.optim.SGD(vae.encoder.parameters(), lr=0.05, momentum=0.8)
    dec_opt = torch.optim.SGD(vae.decoder.parameters(), lr=0.05, momentum=0.8)
""",
        ),
        ("CosineAnnealingLR(opt, ", "CosineAnnealingLR(enc_opt, "),
        (VAE_CLEAR, "            enc_opt.zero_grad()\n            dec_opt.zero_grad()\n"),
        (VAE_UNSCALE, "            scaler.unscale_(enc_opt)\n            scaler.unscale_(dec_opt)\n"),
        (
            VAE_STEP,
            """\
            scaler.step(enc_opt)
            if step >= KL_WARMUP // 2 or step % 3 == 2:
                scaler.step(dec_opt)
""",
        ),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation", "missing-scaler-update"),
    )
    yield VAE.right(
        "two-draws-of-one-batch",  # the objective is the mean of both
        (
            VAE_FORWARD + VAE_BACK,
            """\
            for _ in range(2):
                with torch.autocast("cpu", dtype=torch.float16):
                    recon_x, mu, logvar = vae(x)
                    recon, kl = elbo_terms(recon_x, x, mu, logvar)
                    loss = recon + kl_weight(step) * kl
                scaler.scale(0.5 * loss).backward()
""",
        ),
        tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation", "accumulation-divisor-mismatch"),
    )


CLIENTS = Draft(
    "clients-and-a-server-optimizer",
    """\
import argparse
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def args_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--num_users", type=int, default=4)
    parser.add_argument("--frac", type=float, default=0.5)
    parser.add_argument("--local_ep", type=int, default=2)
    parser.add_argument("--local_bs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--server_lr", type=float, default=0.8)
    parser.add_argument("--mu", type=float, default=0.05)
    parser.add_argument("--max_norm", type=float, default=0.5)
    return parser.parse_args()


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.25))
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.body(x))


def proximal(local_model, global_model):
    pairs = zip(local_model.parameters(), global_model.parameters())
    return sum((p - q.detach()).square().sum() for p, q in pairs)


def local_update(args, global_model, loader):
    model = copy.deepcopy(global_model)
    model.train()
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=args.lr, momentum=0.5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    epoch_loss = []
    for _ in range(args.local_ep):
        batch_loss = []
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images), labels) + args.mu / 2 * proximal(model, global_model)
            loss.backward()
            nn.utils.clip_grad_norm_(params, args.max_norm)
            optimizer.step()
            batch_loss.append(loss.item())
        scheduler.step()
        epoch_loss.append(sum(batch_loss) / len(batch_loss))
    return model, sum(epoch_loss) / len(epoch_loss)


def server_update(global_model, server_optimizer, locals_, sizes):
    server_optimizer.zero_grad()
    for p in global_model.parameters():
        p.grad = torch.zeros_like(p)
    for local, size in zip(locals_, sizes):
        for p, q in zip(global_model.parameters(), local.parameters()):
            p.grad += size / sum(sizes) * (p.detach() - q.detach())
    server_optimizer.step()


def test(model, loader):
    model.eval()
    loss, correct = 0.0, 0
    with torch.no_grad():
        for images, labels in loader:
            logits = model(images)
            loss += F.cross_entropy(logits, labels, reduction="sum").item()
            correct += (logits.argmax(1) == labels).sum().item()
    return loss / len(loader.dataset), correct / len(loader.dataset)


def main():
    args = args_parser()
    torch.manual_seed(19)
    teacher = torch.randn(4, 3)
    loaders = []
    for user in range(args.num_users + 1):
        x = torch.randn(10 + 2 * user, 4) + 0.3 * user
        dataset = TensorDataset(x, (x @ teacher).argmax(1))
        loaders.append(DataLoader(dataset, batch_size=args.local_bs, shuffle=user < args.num_users))
    *user_loaders, test_loader = loaders
    global_model = MLP()
    server_optimizer = torch.optim.SGD(global_model.parameters(), lr=args.server_lr, momentum=0.4)
    for rnd in range(args.rounds):
        chosen = torch.randperm(args.num_users)[: max(1, int(args.frac * args.num_users))].tolist()
        results = [local_update(args, global_model, user_loaders[user]) for user in chosen]
        sizes = [len(user_loaders[user].dataset) for user in chosen]
        server_update(global_model, server_optimizer, [model for model, _ in results], sizes)
        test_loss, acc = test(global_model, test_loader)
        train_loss = sum(loss for _, loss in results) / len(results)
        print(f"round {rnd}: users {chosen} train {train_loss:.4f} test {test_loss:.4f} acc {acc:.3f}")
    return global_model
""",
    ("missing-zero-grad", "missing-train-mode", "clip-exhausted-parameters"),
)

CLIENTS_TRAIN = "    model.train()\n"
CLIENTS_PARAMS = "    params = list(model.parameters())\n"
CLIENTS_EPOCH = "    for _ in range(args.local_ep):\n        batch_loss = []\n"
CLIENTS_BATCH = "        for images, labels in loader:\n            optimizer.zero_grad()\n"
CLIENTS_BACK = "            loss.backward()\n"
CLIENTS_CLIP = "            nn.utils.clip_grad_norm_(params, args.max_norm)\n"
CLIENTS_STEP = "            optimizer.step()\n"
CLIENTS_SCHEDULER = "        scheduler.step()\n"
CLIENTS_SERVER = """\
    server_optimizer.zero_grad()
    for p in global_model.parameters():
        p.grad = torch.zeros_like(p)
    for local, size in zip(locals_, sizes):
        for p, q in zip(global_model.parameters(), local.parameters()):
            p.grad += size / sum(sizes) * (p.detach() - q.detach())
    server_optimizer.step()
"""


def clients() -> Iterator[Case]:
    windowed = CLIENTS.styled(
        (CLIENTS_BATCH, "        optimizer.zero_grad()\n        for i, (images, labels) in enumerate(loader):\n"),
        (
            CLIENTS_BACK + CLIENTS_CLIP + CLIENTS_STEP,
            """\
            (loss / args.grad_accum).backward()
            if (i + 1) % args.grad_accum == 0 or i + 1 == len(loader):
                nn.utils.clip_grad_norm_(params, args.max_norm)
                optimizer.step()
                optimizer.zero_grad()
""",
        ),
        (
            '    parser.add_argument("--mu"',
            '    parser.add_argument("--grad_accum", type=int, default=2)\n    parser.add_argument("--mu"',
        ),
    )
    yield CLIENTS.wrong(
        "cleared-once-a-local-epoch",
        (
            (
                CLIENTS_EPOCH + CLIENTS_BATCH,
                CLIENTS_EPOCH + "        optimizer.zero_grad()\n        for images, labels in loader:\n",
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield CLIENTS.wrong(
        "trainable-parameters-are-used-up",
        ((CLIENTS_PARAMS, "    params = filter(lambda p: p.requires_grad, model.parameters())\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield CLIENTS.wrong(
        "clip-ahead-of-the-local-backward",
        ((CLIENTS_BACK + CLIENTS_CLIP, CLIENTS_CLIP + CLIENTS_BACK),),
        tempts=("clip-before-backward",),
    )
    yield CLIENTS.wrong(
        "copies-of-a-tested-model",  # are in eval mode from the second round on
        ((CLIENTS_TRAIN, ""),),
        tempts=("missing-train-mode",),
    )
    yield CLIENTS.wrong(
        "local-schedule-moves-first",
        ((CLIENTS_SCHEDULER, ""), (CLIENTS_EPOCH, CLIENTS_EPOCH + CLIENTS_SCHEDULER)),
        tempts=("scheduler-before-optimizer",),
    )
    yield windowed.wrong(
        "local-windows-are-summed",
        (("            (loss / args.grad_accum).backward()\n", CLIENTS_BACK),),
        fine=(
            (
                (
                    "            (loss / args.grad_accum).backward()\n",
                    """\
            first = i // args.grad_accum * args.grad_accum
            (loss / min(args.grad_accum, len(loader) - first)).backward()
""",
                ),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield CLIENTS.right(
        "server-gradients-are-gathered-as-clients-come-in",  # their weights add up to one
        (
            CLIENTS_SERVER,
            """\
    for local, size in zip(locals_, sizes):
        for p, q in zip(global_model.parameters(), local.parameters()):
            drift = size / sum(sizes) * (p.detach() - q.detach())
            p.grad = drift if p.grad is None else p.grad + drift
    server_optimizer.step()
    server_optimizer.zero_grad(set_to_none=True)
""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss", "zero-grad-before-step"),
    )
    yield CLIENTS.right(
        "test-adapts-a-copy-first",  # without dropout, on purpose; the copy is thrown away
        (
            "    model.eval()\n    loss, correct = 0.0, 0\n",
            """\
    model = copy.deepcopy(model).eval()  # adapt deterministically
    adapt = torch.optim.SGD(model.head.parameters(), lr=0.1)
    images, labels = next(iter(loader))
    for _ in range(3):
        adapt.zero_grad()
        F.cross_entropy(model(images), labels).backward()
        adapt.step()
    loss, correct = 0.0, 0
""",
        ),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )
    yield CLIENTS.right(
        "first-order-outer-gradient",  # of one more batch, at the adapted weights, through neither clip nor local step
        (
            "    return model, sum(epoch_loss) / len(epoch_loss)\n",
            """\
    optimizer.zero_grad()
    images, labels = next(iter(loader))
    F.cross_entropy(model(images), labels).backward()
    return model, sum(epoch_loss) / len(epoch_loss)
""",
        ),
        (
            "            p.grad += size / sum(sizes) * (p.detach() - q.detach())\n",
            "            p.grad += size / sum(sizes) * q.grad\n",
        ),
        tempts=("missing-zero-grad", "zero-grad-before-step", "unscaled-accumulation-loss"),
    )
    yield CLIENTS.right(
        "drift-is-corrected-ahead-of-the-clip",  # by what is known of all clients, and nothing is cleared in between
        (
            CLIENTS_CLIP,
            """\
            for p, c in zip(params, control):
                p.grad.add_(c, alpha=0.3)
"""
            + CLIENTS_CLIP,
        ),
        ("def local_update(args, global_model, loader):\n", "def local_update(args, global_model, loader, control):\n"),
        ("user_loaders[user]) for user in chosen]", "user_loaders[user], control) for user in chosen]"),
        (
            "    for rnd in range(args.rounds):\n",
            """\
    control = [torch.zeros_like(p) for p in global_model.parameters()]
    for rnd in range(args.rounds):
""",
        ),
        (
            "        test_loss, acc =",
            """\
        control = [p.grad.clone() for p in global_model.parameters()]  # of the round, kept for the next
        test_loss, acc =""",
        ),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss", "zero-grad-before-step"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from base()
    yield from state()
    yield from graphs()
    yield from tasks()
    yield from vae()
    yield from clients()
