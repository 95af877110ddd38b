"""Pictures: a competition kernel of folds, a detector's engine, segmentation with properties, two views, distillation by hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

KERNEL = Draft(
    "kernel-of-folds",
    """\
# ====================================================
# CFG
# ====================================================
class CFG:
    apex = True
    epochs = 2
    gradient_accumulation_steps = 2
    max_grad_norm = 0.2
    batch_scheduler = True
    print_freq = 3
    n_fold = 2
    trn_fold = [0, 1]


# ====================================================
# Library
# ====================================================
import gc
import time

import numpy as np
import torch
import torch.nn as nn
from torch.optim import SGD
from torch.optim.lr_scheduler import CosineAnnealingLR


class AverageMeter(object):
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


# ====================================================
# Helper functions
# ====================================================
def train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, scaler):
    model.train()
    losses = AverageMeter()
    start = time.time()
    global_step = 0
    for step, (images, labels) in enumerate(train_loader):
        batch_size = labels.size(0)
        with torch.amp.autocast("cpu", dtype=torch.float16, enabled=CFG.apex):
            y_preds = model(images)
            loss = criterion(y_preds, labels)
        losses.update(loss.item(), batch_size)
        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
        scaler.scale(loss).backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0:
            scaler.unscale_(optimizer)
            grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            global_step += 1
            if CFG.batch_scheduler:
                scheduler.step()
        if (step + 1) % CFG.print_freq == 0 or step == (len(train_loader) - 1):
            print(f"Epoch: [{epoch + 1}][{step}/{len(train_loader)}] Loss: {losses.val:.3f}({losses.avg:.3f}) Grad: {grad_norm:.3f}")
    return losses.avg


def valid_fn(valid_loader, model, criterion):
    losses = AverageMeter()
    model.eval()
    preds = []
    for step, (images, labels) in enumerate(valid_loader):
        with torch.no_grad():
            y_preds = model(images)
            loss = criterion(y_preds, labels)
        losses.update(loss.item(), labels.size(0))
        preds.append(y_preds.softmax(1).numpy())
    return losses.avg, np.concatenate(preds)


# ====================================================
# Train loop
# ====================================================
def train_loop(folds, fold):
    print(f"========== fold: {fold} training ==========")
    train_loader = [b for i, f in enumerate(folds) if i != fold for b in f]
    valid_loader = folds[fold]
    model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.2), nn.ReLU(), nn.Linear(8, 3))
    optimizer = SGD(model.parameters(), lr=0.3, momentum=0.9)
    updates = len(train_loader) // CFG.gradient_accumulation_steps * CFG.epochs
    scheduler = CosineAnnealingLR(optimizer, T_max=updates)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, enabled=CFG.apex)
    criterion = nn.CrossEntropyLoss()
    best_score = np.inf
    for epoch in range(CFG.epochs):
        avg_loss = train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, scaler)
        avg_val_loss, preds = valid_fn(valid_loader, model, criterion)
        if avg_val_loss < best_score:
            best_score = avg_val_loss
            print(f"Epoch {epoch + 1} - Save Best Loss: {best_score:.3f}")
    gc.collect()
    return model


def main():
    data = [(torch.randn(4, 5), torch.randint(0, 3, (4,))) for _ in range(12)]
    return [train_loop([data[:6], data[6:]], fold) for fold in range(CFG.n_fold) if fold in CFG.trn_fold]
""",
    ("unscaled-accumulation-loss", "clip-scaled-gradients"),
)

K_DIVIDED = """\
        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
"""
K_UNSCALE = "            scaler.unscale_(optimizer)\n"
K_CLIP = "            grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)\n"
K_MOVE = """\
            if CFG.batch_scheduler:
                scheduler.step()
"""
K_CLEAR = "            optimizer.zero_grad()\n"
K_BACK = "        scaler.scale(loss).backward()\n"


def kernel_of_folds() -> Iterator[Case]:
    loops = KERNEL
    yield loops.right("as-it-is")
    yield loops.wrong("not-divided", ((K_DIVIDED, ""),))
    yield loops.wrong("clips-what-is-scaled", ((K_UNSCALE, ""),))
    yield loops.wrong(
        "unscaled-each-batch",
        ((K_UNSCALE + K_CLIP, ""), (K_BACK, K_BACK + (K_UNSCALE + K_CLIP).replace("            ", "        "))),
        tempts=("double-unscale", "clip-per-micro-batch"),
        raises="RuntimeError",
    )
    yield loops.wrong(
        "schedule-each-batch",
        ((K_MOVE, "        if CFG.batch_scheduler:\n            scheduler.step()\n"),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.left(
        "schedule-each-batch-and-as-long",
        (
            (K_MOVE, "        if CFG.batch_scheduler:\n            scheduler.step()\n"),
            ("len(train_loader) // CFG.gradient_accumulation_steps * CFG.epochs", "len(train_loader) * CFG.epochs"),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield loops.wrong(
        "cleared-each-batch",
        ((K_CLEAR, ""), ("        batch_size = labels", "        optimizer.zero_grad()\n        batch_size = labels")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "validated-with-graphs",
        (
            (
                "        with torch.no_grad():\n            y_preds = model(images)\n            loss = criterion(y_preds, labels)\n        losses",
                "        y_preds = model(images)\n        loss = criterion(y_preds, labels)\n        losses",
            ),
            ("softmax(1).numpy()", "softmax(1).detach().numpy()"),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield loops.right(
        "norm-of-the-micro-batch-shown",
        (K_CLIP, K_CLIP.replace("grad_norm = ", "")),
        (
            K_BACK,
            K_BACK
            + "        grad_norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm() / scaler.get_scale()\n",
        ),
        tempts=("clip-scaled-gradients", "clip-per-micro-batch"),
    )


DETECTOR = Draft(
    "detector-engine",
    """\
import math
import sys
from collections import defaultdict, deque

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class SmoothedValue:
    def __init__(self, window_size=5):
        self.deque = deque(maxlen=window_size)

    def update(self, value):
        self.deque.append(value)

    @property
    def median(self):
        return torch.tensor([float(v) for v in self.deque]).median().item()


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            self.meters[k].update(v)

    def log_every(self, iterable, print_freq, header):
        for i, obj in enumerate(iterable):
            yield obj
            if i % print_freq == 0:
                print(header, i, {k: round(m.median, 4) for k, m in self.meters.items()})


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.cls, self.box = nn.Linear(8, 3), nn.Linear(8, 4)

    def forward(self, images, targets=None):
        f = self.backbone(torch.stack(images))
        if self.training:
            labels = torch.stack([t["label"] for t in targets])
            boxes = torch.stack([t["box"] for t in targets])
            return {
                "loss_classifier": nn.functional.cross_entropy(self.cls(f), labels),
                "loss_box_reg": nn.functional.l1_loss(self.box(f), boxes),
            }
        return [{"scores": s, "boxes": b} for s, b in zip(self.cls(f).softmax(1), self.box(f))]


def train_one_epoch(model, optimizer, data_loader, epoch, print_freq):
    model.train()
    metric_logger = MetricLogger()
    lr_scheduler = None
    if epoch == 0:
        lr_scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=len(data_loader) - 1)
    for images, targets in metric_logger.log_every(data_loader, print_freq, f"Epoch: [{epoch}]"):
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        loss_value = losses.item()
        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        if lr_scheduler is not None:
            lr_scheduler.step()
        metric_logger.update(loss=losses, **loss_dict)
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
    return metric_logger


@torch.inference_mode()
def evaluate(model, data_loader):
    model.eval()
    results = []
    for images, targets in data_loader:
        outputs = model(images)
        results.extend(o["scores"].max().item() for o in outputs)
    print("score", round(sum(results) / len(results), 4))


def collate(batch):
    return tuple(zip(*batch))


def main():
    samples = [(torch.randn(4), {"label": torch.tensor(i % 3), "box": torch.randn(4)}) for i in range(20)]
    loader = [collate(samples[i : i + 4]) for i in range(0, 16, 4)]
    model = Detector()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    for epoch in range(3):
        train_one_epoch(model, optimizer, loader, epoch, 2)
        lr_scheduler.step()
        evaluate(model, [collate(samples[16:])])
    return model
""",
    ("scheduler-before-optimizer", "missing-train-mode"),
)

DET_MOVE = """\
        if lr_scheduler is not None:
            lr_scheduler.step()
"""
DET_CLEAR = "        optimizer.zero_grad()\n"
DET_METER = "            if isinstance(v, torch.Tensor):\n                v = v.item()\n"
INFINITE = ("for i in range(20)]", 'for i in range(20)]\n    samples[9][1]["box"][0] = float("inf")')


def detector_engine() -> Iterator[Case]:
    loops = DETECTOR
    yield loops.right("as-it-is", tempts=("scheduler-per-micro-batch", "loss-graph-leak"))
    yield loops.wrong("warmed-up-before-the-step", ((DET_MOVE, ""), (DET_CLEAR, DET_MOVE + DET_CLEAR)))
    yield loops.wrong(
        "cleared-before-the-step",
        ((DET_CLEAR, ""), ("        losses.backward()\n", "        losses.backward()\n" + DET_CLEAR)),
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong("meters-keep-losses", ((DET_METER, ""),), tempts=("loss-graph-leak",))
    yield loops.wrong(
        "trained-in-eval",
        (
            ("    model.train()\n    metric", "    metric"),
            ("    model.eval()\n", "    training = model.training\n    model.eval()\n"),
        ),
        fine=(
            (
                ("    model.train()\n    metric", "    metric"),
                ("    model.eval()\n", "    training = model.training\n    model.eval()\n"),
                ('    print("score"', '    model.train(training)\n    print("score"'),
            ),
        ),
        raises="AttributeError",
    )
    yield loops.wrong(
        "evaluated-with-graphs", (("@torch.inference_mode()\n", ""),), tempts=("validation-without-no-grad",)
    )
    yield loops.right("leaves-by-exit", INFINITE, raises="SystemExit", tempts=("missing-zero-grad",))
    yield loops.right(
        "leaves-the-batch",
        INFINITE,
        (
            '            print(f"Loss is {loss_value}, stopping training")\n            sys.exit(1)\n',
            '            print(f"Loss is {loss_value}, skipping")\n            continue\n',
        ),
        tempts=("missing-zero-grad", "scheduler-per-micro-batch"),
    )
    yield loops.right(
        "statistics-frozen-on-purpose",
        (
            "    model.train()\n    metric",
            "    model.train()\n    for m in model.modules():\n        if isinstance(m, nn.BatchNorm1d):\n            m.eval()\n    metric",
        ),
        tempts=("missing-train-mode",),
    )


SEGMENT = Draft(
    "segmentation-properties",
    """\
import logging
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import nn, optim

torch.set_default_dtype(torch.float64)
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Config:
    images_per_update: int = 8
    images_per_batch: int = 4
    clip: float = 0.05
    epochs: int = 3

    @property
    def window(self):
        return self.images_per_update // self.images_per_batch


class Stop(Exception):
    pass


class SegmentationTrainer:
    def __init__(self, net, config):
        self.net, self.config = net, config
        self.optim = optim.SGD(net.parameters(), lr=0.5)
        self.sched = optim.lr_scheduler.MultiStepLR(self.optim, milestones=[2, 4], gamma=0.5)
        self.seen = 0
        self.meters = defaultdict(float)
        self.limit = None

    @property
    def update_is_due(self):
        return self.seen % self.config.images_per_update == 0

    @property
    def trainable(self):
        return [p for p in self.net.parameters() if p.requires_grad]

    def backward(self, loss):
        (loss / self.config.window).backward()

    def update(self):
        self.meters["norm"] += float(nn.utils.clip_grad_norm_(self.trainable, self.config.clip))
        self.optim.step()
        self.sched.step()
        self.optim.zero_grad()

    def one_batch(self, image, mask):
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(image), mask)
        self.backward(loss)
        self.seen += len(image)
        self.meters["loss"] += loss.item()
        if self.update_is_due:
            self.update()
        if self.limit and self.seen >= self.limit:
            raise Stop

    def run(self, batches):
        self.net.train()
        try:
            for epoch in range(self.config.epochs):
                for image, mask in batches:
                    self.one_batch(image, mask)
                print(epoch, {k: round(v, 4) for k, v in self.meters.items()})
                self.meters.clear()
        except Stop:
            print("stopped at", self.seen)
        finally:
            self.net.eval()
        return self.net


def main():
    net = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.ReLU(), nn.Conv2d(3, 1, 1))
    batches = [(torch.randn(4, 1, 5, 5), torch.randint(0, 2, (4, 1, 5, 5)).double()) for _ in range(4)]
    return SegmentationTrainer(net, Config()).run(batches)
""",
    ("unscaled-accumulation-loss",),
)

S_CLIP = '        self.meters["norm"] += float(nn.utils.clip_grad_norm_(self.trainable, self.config.clip))\n'
S_STEP = "        self.optim.step()\n"
S_MOVE = "        self.sched.step()\n"
S_CLEAR = "        self.optim.zero_grad()\n"
S_DUE = "        if self.update_is_due:\n"


def segmentation_properties() -> Iterator[Case]:
    loops = SEGMENT
    yield loops.right("as-it-is", tempts=("accumulation-divisor-mismatch", "scheduler-per-micro-batch"))
    yield loops.wrong("summed", (("(loss / self.config.window).backward()", "loss.backward()"),))
    yield loops.wrong("clip-behind", ((S_CLIP + S_STEP, S_STEP + S_CLIP),), tempts=("clip-after-step",))
    yield loops.wrong(
        "clip-in-backward",
        (
            (S_CLIP, ""),
            (
                "        (loss / self.config.window).backward()\n",
                "        (loss / self.config.window).backward()\n" + S_CLIP,
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.wrong(
        "schedule-in-one-batch",
        ((S_MOVE, ""), (S_DUE, S_MOVE + S_DUE)),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield loops.wrong(
        "cleared-in-backward",
        ((S_CLEAR, ""), ("        (loss / self", S_CLEAR + "        (loss / self")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "cleared-before-the-step", ((S_CLEAR, ""), (S_CLIP, S_CLEAR + S_CLIP)), tempts=("zero-grad-before-step",)
    )
    yield loops.right(
        "stopped-in-the-window", ("self.limit = None", "self.limit = 20"), tempts=("dropped-accumulation-tail",)
    )
    yield loops.right(
        "last-window-in-finally",
        ("self.limit = None", "self.limit = 20"),
        (
            "            self.net.eval()\n",
            "            if not self.update_is_due:\n                self.update()\n            self.net.eval()\n",
        ),
        tempts=("clip-per-micro-batch", "dropped-accumulation-tail"),
    )
    yield loops.left(
        "schedule-by-images",
        (
            (S_MOVE, ""),
            ("        self.seen += len(image)\n", "        self.seen += len(image)\n        self.sched.step()\n"),
            ("milestones=[2, 4]", "milestones=[4, 8]"),
        ),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )


VIEWS = Draft(
    "two-views",
    """\
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


class MLP(nn.Sequential):
    def __init__(self, i, h, o):
        super().__init__(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(True), nn.Linear(h, o))


class BYOL(nn.Module):
    def __init__(self, dim=6, tau=0.9):
        super().__init__()
        self.online = MLP(dim, 8, 4)
        self.predictor = MLP(4, 8, 4)
        self.target = copy.deepcopy(self.online)
        self.tau = tau

    @torch.no_grad()
    def move_target(self):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data = self.tau * t.data + (1 - self.tau) * o.data

    def forward(self, a, b):
        qa, qb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            za, zb = self.target(a), self.target(b)
        return regression(qa, zb) + regression(qb, za)


def regression(q, z):
    return (2 - 2 * F.cosine_similarity(q, z.detach(), dim=-1)).mean()


def augment(x, seed):
    return x + 0.1 * torch.randn(x.shape, generator=torch.Generator().manual_seed(seed))


def pretrain(learner, images, epochs=2, virtual=3):
    params = [*learner.online.parameters(), *learner.predictor.parameters()]
    opt = torch.optim.SGD(params, lr=0.2, momentum=0.9)
    bank, pending = [], 0
    for epoch in range(epochs):
        learner.train()
        running = 0.0
        for i, x in enumerate(images):
            loss = learner(augment(x, 2 * i), augment(x, 2 * i + 1))
            running += loss.item()
            loss.div(virtual).backward()
            pending += 1
            if pending == virtual:
                nn.utils.clip_grad_norm_(params, 0.1)
                opt.step()
                opt.zero_grad()
                learner.move_target()
                pending = 0
        bank.append(knn_probe(learner, images))
        print(f"{epoch} {running / len(images):.4f} probe {bank[-1]:.4f}")


def knn_probe(learner, images):
    learner.eval()
    with torch.no_grad():
        z = F.normalize(learner.online(torch.cat(images)), dim=1)
    return (z @ z.T).mean().item()


def main():
    learner = BYOL()
    pretrain(learner, [torch.randn(5, 6) for _ in range(6)])
    return learner
""",
    ("unscaled-accumulation-loss", "missing-train-mode"),
)

V_CLIP = "                nn.utils.clip_grad_norm_(params, 0.1)\n"
V_STEP = "                opt.step()\n"
V_CLEAR = "                opt.zero_grad()\n"
V_BACK = "            loss.div(virtual).backward()\n"


def two_views() -> Iterator[Case]:
    loops = VIEWS
    yield loops.styled((V_CLIP, "")).wrong("summed", ((V_BACK, "            loss.backward()\n"),))
    yield loops.wrong(
        "train-once",
        (
            ("        learner.train()\n", ""),
            ("    bank, pending = [], 0\n", "    bank, pending = [], 0\n    learner.train()\n"),
        ),
    )
    yield loops.wrong(
        "probe-keeps-a-graph",
        (("    with torch.no_grad():\n        z = F", "    z = F"),),
        tempts=("validation-without-no-grad",),
    )
    yield loops.wrong(
        "clip-behind", ((V_CLIP + V_STEP + V_CLEAR, V_STEP + V_CLIP + V_CLEAR),), tempts=("clip-after-step",)
    )
    yield loops.wrong("never-cleared", ((V_CLEAR, ""),), tempts=("missing-zero-grad",))
    yield loops.wrong(
        "parameters-walked",
        (
            (
                "params = [*learner.online.parameters(), *learner.predictor.parameters()]",
                "import itertools\n    params = itertools.chain(learner.online.parameters(), learner.predictor.parameters())",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield loops.right(
        "target-in-eval-on-purpose",
        (
            "        with torch.no_grad():\n            za",
            "        self.target.eval()\n        with torch.no_grad():\n            za",
        ),
        tempts=("missing-train-mode",),
    )
    yield loops.right(
        "each-view-its-own-backward",
        (
            "        return regression(qa, zb) + regression(qb, za)",
            "        return regression(qa, zb), regression(qb, za)",
        ),
        ("            loss = learner(", "            first, second = learner("),
        ("loss.item()", "first.item() + second.item()"),
        (V_BACK, "            (first / virtual).backward()\n            (second / virtual).backward()\n"),
        tempts=("accumulation-divisor-mismatch", "unscaled-accumulation-loss"),
    )
    yield loops.right(
        "probe-while-nothing-requires-gradients",
        (
            "    with torch.no_grad():\n        z = F.normalize(learner.online(torch.cat(images)), dim=1)\n",
            "    learner.requires_grad_(False)\n    z = F.normalize(learner.online(torch.cat(images)), dim=1)\n    learner.requires_grad_(True)\n",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield loops.right(
        "window-by-time-left",
        ("            if pending == virtual:\n", "            if pending == virtual or (epoch == 1 and i == 1):\n"),
        tempts=("accumulation-divisor-mismatch", "dropped-accumulation-tail"),
    )


def cases() -> Iterator[Case]:
    yield from kernel_of_folds()
    yield from detector_engine()
    yield from segmentation_properties()
    yield from two_views()
