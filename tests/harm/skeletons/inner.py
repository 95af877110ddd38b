"""Inner loops: fast weights, adversarial steps on the input, first-order meta-learning."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

MAML = """
import torch
from torch import nn
from torch.func import functional_call

torch.set_default_dtype(torch.float64)


def sample_task(gen):
    amplitude = 1 + torch.rand(1, generator=gen)
    x = torch.rand(8, 1, generator=gen) * 6 - 3
    return (x[:4], amplitude * torch.sin(x[:4])), (x[4:], amplitude * torch.sin(x[4:]))


def adapt(model, support, inner_lr, inner_steps):
    x, y = support
    fast = dict(model.named_parameters())
    for _ in range(inner_steps):
        loss = nn.functional.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
        fast = {name: w - inner_lr * g for (name, w), g in zip(fast.items(), grads)}
    return fast


def main():
    gen = torch.Generator().manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
    meta_opt = torch.optim.Adam(model.parameters(), lr=0.01)
    tasks_per_batch = 3
    for it in range(4):
        meta_opt.zero_grad()
        meta_loss = 0.0
        for _ in range(tasks_per_batch):
            support, query = sample_task(gen)
            fast = adapt(model, support, 0.1, 2)
            meta_loss = meta_loss + nn.functional.mse_loss(functional_call(model, fast, (query[0],)), query[1])
        meta_loss = meta_loss / tasks_per_batch
        meta_loss.backward()
        meta_opt.step()
        print(it, f"{meta_loss.item():.6f}")
    return model
"""


def maml() -> Iterator[Case]:
    loops = Skeleton("maml")
    yield loops.right("summed-then-backward", MAML, "loss-graph-leak", "unscaled-accumulation-loss")
    each = swap(
        MAML,
        "            meta_loss = meta_loss + nn.functional.mse_loss(functional_call(model, fast, (query[0],)), query[1])\n"
        "        meta_loss = meta_loss / tasks_per_batch\n"
        "        meta_loss.backward()\n"
        "        meta_opt.step()\n"
        '        print(it, f"{meta_loss.item():.6f}")\n',
        "            task_loss = nn.functional.mse_loss(functional_call(model, fast, (query[0],)), query[1]) / tasks_per_batch\n"
        "            task_loss.backward()\n"
        "            meta_loss += task_loss.item()\n"
        "        meta_opt.step()\n"
        '        print(it, f"{meta_loss:.6f}")\n',
    )
    yield loops.right("backward-for-each-task", each, "zero-grad-in-accumulation")
    yield loops.wrong(
        "cleared-for-each-task",
        swap(each, "            support, query", "            meta_opt.zero_grad()\n            support, query"),
        each,
        tempts=("zero-grad-in-accumulation",),
    )
    yield loops.wrong(
        "each-task-undivided",
        swap(
            each, "query[1]) / tasks_per_batch", "query[1])", "task_loss.item()", "task_loss.item() / tasks_per_batch"
        ),
        each,
        tempts=("unscaled-accumulation-loss",),
    )
    yield loops.wrong(
        "total-keeps-graphs", swap(each, "task_loss.item()", "task_loss"), each, tempts=("loss-graph-leak",)
    )
    yield loops.wrong("never-cleared", drop(MAML, "meta_opt.zero_grad()"), MAML, tempts=("missing-zero-grad",))


REPTILE = """
import copy

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class FOMAML:
    def __init__(self, net, inner_lr=0.05, outer_lr=0.1, k=3):
        self.net = net
        self.inner_lr = inner_lr
        self.k = k
        self.outer = torch.optim.SGD(net.parameters(), lr=outer_lr)

    def inner_loop(self, x, y):
        learner = copy.deepcopy(self.net)
        inner = torch.optim.SGD(learner.parameters(), lr=self.inner_lr)
        for _ in range(self.k):
            inner.zero_grad()
            nn.functional.mse_loss(learner(x), y).backward()
            inner.step()
        return learner, inner

    def outer_step(self, tasks):
        self.outer.zero_grad()
        for (xs, ys), (xq, yq) in tasks:
            learner, inner = self.inner_loop(xs, ys)
            inner.zero_grad()  # only the query's gradient counts
            loss = nn.functional.mse_loss(learner(xq), yq)
            loss.backward()
            for p, q in zip(self.net.parameters(), learner.parameters()):
                p.grad = q.grad / len(tasks) if p.grad is None else p.grad + q.grad / len(tasks)
        self.outer.step()
        return loss.item()


def main():
    torch.manual_seed(77)

    def draw():
        return torch.randn(4, 2), torch.randn(4, 1)

    meta = FOMAML(nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1)))
    for _ in range(3):
        last = meta.outer_step([(draw(), draw()) for _ in range(2)])
    print("%.6f" % last)
    return meta.net
"""


def first_order() -> Iterator[Case]:
    loops = Skeleton("first-order-meta")
    yield loops.right("as-it-is", REPTILE, "zero-grad-before-step", "missing-zero-grad", "zero-grad-in-accumulation")
    yield loops.right(
        "inner-gradients-count-too",
        drop(REPTILE, "inner.zero_grad()  # only the query's gradient counts"),
        "missing-zero-grad",
    )
    reptile = swap(
        REPTILE,
        "            inner.zero_grad()  # only the query's gradient counts\n"
        "            loss = nn.functional.mse_loss(learner(xq), yq)\n"
        "            loss.backward()\n",
        "            with torch.no_grad():\n                loss = nn.functional.mse_loss(learner(xq), yq)\n",
        "p.grad = q.grad / len(tasks) if p.grad is None else p.grad + q.grad / len(tasks)",
        "g = (p.data - q.data) / len(tasks)\n                p.grad = g if p.grad is None else p.grad + g",
    )
    yield loops.right("reptile", reptile, "validation-without-no-grad", "zero-grad-before-step")
    yield loops.right(
        "accumulates-inside-on-purpose",
        swap(
            REPTILE,
            "        for _ in range(self.k):\n"
            "            inner.zero_grad()\n"
            "            nn.functional.mse_loss(learner(x), y).backward()\n"
            "            inner.step()\n",
            "        for xi, yi in zip(x.chunk(2), y.chunk(2)):\n"
            "            (nn.functional.mse_loss(learner(xi), yi) / 2).backward()\n"
            "        inner.step()\n",
        ),
        "zero-grad-in-accumulation",
    )
    yield loops.wrong(
        "inner-cleared-before-its-step",
        swap(
            REPTILE,
            "            inner.zero_grad()\n            nn.functional.mse_loss(learner(x), y).backward()\n",
            "            nn.functional.mse_loss(learner(x), y).backward()\n            inner.zero_grad()\n",
        ),
        REPTILE,
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong(
        "outer-never-cleared",
        drop(REPTILE, "self.outer.zero_grad()"),
        REPTILE,
        tempts=("missing-zero-grad",),
    )


PGD = """
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def pgd(model, x, y, eps=0.3, alpha=0.1, steps=3):
    was_training = model.training
    model.eval()
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        loss = F.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = (delta + alpha * delta.grad.sign()).clamp(-eps, eps)
        delta.grad.zero_()
    model.train(was_training)
    return (x + delta).detach()


def train(model, optimizer, batches):
    model.train()
    for x, y in batches:
        x_adv = pgd(model, x, y)
        optimizer.zero_grad()
        loss = 0.5 * F.cross_entropy(model(x), y) + 0.5 * F.cross_entropy(model(x_adv), y)
        loss.backward()
        optimizer.step()
    return loss


def main():
    torch.manual_seed(55)
    batches = [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(6)]
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(2):
        print(epoch, train(model, optimizer, batches).item())
    return model
"""


def adversarial() -> Iterator[Case]:
    loops = Skeleton("adversarial-training")
    yield loops.right("mode-restored", PGD, "missing-train-mode", "missing-zero-grad", "validation-without-no-grad")
    yield loops.right(
        "autograd-grad",
        swap(
            PGD,
            "        loss.backward()\n        delta.data = (delta + alpha * delta.grad.sign())",
            "        (g,) = torch.autograd.grad(loss, delta)\n        delta.data = (delta + alpha * g.sign())",
            "        delta.grad.zero_()\n",
            "",
        ),
        "missing-zero-grad",
        "loss-graph-leak",
    )
    yield loops.right(
        "attack-in-train-mode",
        drop(PGD, "was_training = model.training", "model.eval()", "model.train(was_training)"),
        "missing-zero-grad",
    )
    free = swap(
        PGD,
        "        x_adv = pgd(model, x, y)\n"
        "        optimizer.zero_grad()\n"
        "        loss = 0.5 * F.cross_entropy(model(x), y) + 0.5 * F.cross_entropy(model(x_adv), y)\n"
        "        loss.backward()\n"
        "        optimizer.step()\n",
        "        delta = torch.zeros_like(x, requires_grad=True)\n"
        "        optimizer.zero_grad()\n"
        "        for _ in range(3):  # free adversarial training: gradients of all replays add up\n"
        "            loss = F.cross_entropy(model(x + delta), y) / 3\n"
        "            loss.backward()\n"
        "            delta.data = (delta + 0.1 * delta.grad.sign()).clamp(-0.3, 0.3)\n"
        "            delta.grad.zero_()\n"
        "        optimizer.step()\n",
    )
    yield loops.right("freelb", free, "zero-grad-in-accumulation", "unscaled-accumulation-loss")
    yield loops.wrong(
        "freelb-model-cleared-inside",
        swap(
            free,
            "            delta.grad.zero_()\n        optimizer.step()",
            "            delta.grad.zero_()\n            optimizer.zero_grad()\n        optimizer.step()",
        ),
        free,
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step"),
    )
    yield loops.wrong(
        "attack-leaves-eval-mode",
        drop(PGD, "was_training = model.training", "model.train(was_training)"),
        PGD,
        tempts=("missing-train-mode",),
    )
    yield loops.wrong(
        "attack-fills-the-model",
        swap(
            PGD,
            "        x_adv = pgd(model, x, y)\n        optimizer.zero_grad()\n",
            "        optimizer.zero_grad()\n        x_adv = pgd(model, x, y)\n",
        ),
        PGD,
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    yield from maml()
    yield from first_order()
    yield from adversarial()
