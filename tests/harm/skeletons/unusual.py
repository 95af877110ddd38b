"""Steps that stand elsewhere: in a context manager, in gradient hooks, in a closure, behind a retry, in a decorator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

MANAGER = Draft(
    "context-manager-steps",
    """\
from contextlib import contextmanager

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@contextmanager
def update(optimizer, parameters, limit):
    optimizer.zero_grad()
    yield
    norm = nn.utils.clip_grad_norm_(parameters, limit)
    optimizer.step()
    print(f"norm {norm:.4f}")


def in_mode(training):
    def decorate(function):
        def wrapped(net, *args):
            before = net.training
            net.train(training)
            try:
                return function(net, *args)
            finally:
                net.train(before)
        return wrapped
    return decorate


@in_mode(False)
def score(net, x, y):
    with torch.no_grad():
        return (net(x) - y).abs().mean().item()


@in_mode(True)
def train(net, batches, optimizer):
    parameters = list(net.parameters())
    for lo in range(0, len(batches), 2):
        chunk = batches[lo : lo + 2]
        with update(optimizer, parameters, 0.1):
            for x, y in chunk:
                loss = (net(x) - y).square().mean()
                loss.div(len(chunk)).backward()
        print(f"score {score(net, *batches[0]):.4f}")


def main():
    net = nn.Sequential(nn.Linear(3, 6), nn.Dropout(0.1), nn.Linear(6, 1)).eval()
    batches = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(5)]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    for _ in range(2):
        train(net, batches, optimizer)
    return net
""",
    ("missing-zero-grad", "clip-before-backward"),
)

MAN_CLIP = "    norm = nn.utils.clip_grad_norm_(parameters, limit)\n"


def context_manager_steps() -> Iterator[Case]:
    loops = MANAGER
    yield loops.right("as-it-is", tempts=("missing-train-mode", "clip-before-backward"))
    yield loops.wrong("never-cleared", (("    optimizer.zero_grad()\n", ""),))
    yield loops.wrong("clip-on-entry", ((MAN_CLIP, ""), ("    yield\n", MAN_CLIP + "    yield\n")))
    yield loops.wrong(
        "clip-behind",
        ((MAN_CLIP, ""), ("    optimizer.step()\n", "    optimizer.step()\n" + MAN_CLIP)),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "cleared-on-leaving",
        (("    optimizer.zero_grad()\n    yield\n", "    yield\n    optimizer.zero_grad()\n"),),
        tempts=("zero-grad-before-step",),
    )
    yield loops.wrong(
        "summed", (("loss.div(len(chunk)).backward()", "loss.backward()"),), tempts=("unscaled-accumulation-loss",)
    )
    yield loops.right(
        "manager-around-each-epoch-keeps-gradients",
        ("    optimizer.zero_grad()\n    yield\n", "    yield\n"),
        ("    optimizer.step()\n", "    optimizer.step()\n    for p in parameters:\n        p.grad.mul_(0.5)\n"),
        tempts=("missing-zero-grad",),
    )


HOOKS = Draft(
    "steps-in-the-backward",
    """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def fuse(model, lr, limit):
    optimizers = {p: torch.optim.SGD([p], lr=lr, momentum=0.5) for p in model.parameters()}
    schedulers = [torch.optim.lr_scheduler.ExponentialLR(o, 0.9) for o in optimizers.values()]

    def hook(p):
        nn.utils.clip_grad_norm_([p], limit)
        optimizers[p].step()
        optimizers[p].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    return schedulers


def main():
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
    loader = DataLoader(TensorDataset(torch.randn(20, 4), torch.randn(20, 1)), batch_size=5)
    schedulers = fuse(model, 0.2, 0.05)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
        for scheduler in schedulers:
            scheduler.step()
        print(f"{epoch} {loss.item():.4f}")
    return model
""",
    ("missing-zero-grad", "clip-before-backward"),
)
HOOK_CLEAR = "        optimizers[p].zero_grad()\n"
HOOK_CLIP = "        nn.utils.clip_grad_norm_([p], limit)\n"


def steps_in_the_backward() -> Iterator[Case]:
    loops = HOOKS
    yield loops.right("as-it-is", tempts=("scheduler-before-optimizer",))
    yield loops.wrong("never-cleared", ((HOOK_CLEAR, ""),))
    yield loops.wrong(
        "clip-behind",
        ((HOOK_CLIP, ""), ("        optimizers[p].step()\n", "        optimizers[p].step()\n" + HOOK_CLIP)),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "losses-kept",
        (
            ("    for epoch in range(2):\n", "    kept = []\n    for epoch in range(2):\n"),
            ("            loss.backward()\n", "            loss.backward()\n            kept.append(loss)\n"),
        ),
        fine=(
            (
                ("    for epoch in range(2):\n", "    kept = []\n    for epoch in range(2):\n"),
                (
                    "            loss.backward()\n",
                    "            loss.backward()\n            kept.append(loss.detach())\n",
                ),
            ),
        ),
        tempts=("loss-graph-leak",),
    )
    yield loops.right(
        "clipped-by-a-tensor-hook",
        (HOOK_CLIP, ""),
        (
            "        p.register_post",
            "        p.register_hook(lambda g: g * (limit / (g.norm() + 1e-6)).clamp(max=1.0))\n        p.register_post",
        ),
    )


STYLE = Draft(
    "style-by-lbfgs",
    """\
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_default_dtype(torch.float64)


def gram(x):
    return x @ x.T / x.numel()


def get_input_optimizer(img):
    return optim.LBFGS([img], max_iter=3, lr=0.5)


def run_style_transfer(cnn, content, style, num_steps=9, style_weight=50.0):
    cnn.eval()
    cnn.requires_grad_(False)
    img = nn.Parameter(content.clone())
    optimizer = get_input_optimizer(img)
    target_c, target_s = cnn(content), gram(cnn(style))
    run = [0]
    best = [float("inf")]
    while run[0] <= num_steps:

        def closure():
            with torch.no_grad():
                img.clamp_(-1.5, 1.5)
            optimizer.zero_grad()
            f = cnn(img)
            content_score = F.mse_loss(f, target_c)
            style_score = style_weight * F.mse_loss(gram(f), target_s)
            loss = content_score + style_score
            loss.backward()
            run[0] += 1
            best[0] = min(best[0], loss.item())
            if run[0] % 4 == 0:
                print(f"run {run}: style {style_score.item():.5f} content {content_score.item():.5f}")
            return loss

        optimizer.step(closure)
    print(f"{best[0]:.5f}")
    return img


def main():
    cnn = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 5))
    img = run_style_transfer(cnn, torch.randn(4, 6), torch.randn(4, 6))
    out = nn.Module()
    out.img = img
    return out
""",
    ("missing-train-mode", "missing-zero-grad"),
)


def style_by_lbfgs() -> Iterator[Case]:
    loops = STYLE
    yield loops.right("network-in-eval-on-purpose", tempts=("missing-train-mode", "validation-without-no-grad"))
    yield loops.wrong("never-cleared", (("            optimizer.zero_grad()\n", ""),))
    yield loops.wrong(
        "cleared-in-front-of-the-step",
        (
            ("            optimizer.zero_grad()\n", ""),
            ("        optimizer.step(closure)\n", "        optimizer.zero_grad()\n        optimizer.step(closure)\n"),
        ),
    )
    yield loops.wrong(
        "not-called",
        (("            optimizer.zero_grad()\n", "            optimizer.zero_grad\n"),),
        tempts=("method-not-called",),
    )
    yield loops.right("cleared-by-none", ("            optimizer.zero_grad()\n", "            img.grad = None\n"))
    yield loops.right(
        "by-adam-with-the-same-closure",
        ("    return optim.LBFGS([img], max_iter=3, lr=0.5)", "    return optim.Adam([img], lr=0.05)"),
    )
    yield loops.right(
        "two-backwards-for-a-report",
        (
            "            loss.backward()\n",
            "            style_score.backward(retain_graph=True)\n            share = img.grad.norm().item()\n            content_score.backward()\n",
        ),
        ('                print(f"run {run}:', '                print(f"share {share:.4f} run {run}:'),
        tempts=("unscaled-accumulation-loss",),
    )


RETRY = Draft(
    "retry-when-out-of-memory",
    """\
import torch
from torch import nn

torch.set_default_dtype(torch.float64)
ROOM = {"rows": 6}


class OutOfMemory(RuntimeError):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, x):
        if len(x) > ROOM["rows"]:
            raise OutOfMemory(f"no room for {len(x)} rows")
        return self.body(x)


def forward_backward(model, x, y, share=1.0):
    loss = nn.functional.mse_loss(model(x), y) * share
    loss.backward()
    return loss.item()


def train_batch(model, optimizer, x, y):
    optimizer.zero_grad()
    pieces = 1
    while True:
        try:
            total = 0.0
            for xs, ys in zip(x.chunk(pieces), y.chunk(pieces)):
                total += forward_backward(model, xs, ys, len(xs) / len(x))
            break
        except OutOfMemory as error:
            print(error)
            optimizer.zero_grad(set_to_none=True)
            pieces *= 2
    nn.utils.clip_grad_norm_(model.parameters(), 0.2)
    optimizer.step()
    return total


def main():
    model = Net()
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    for epoch in range(2):
        losses = [train_batch(model, optimizer, torch.randn(n, 4), torch.randn(n, 2)) for n in (4, 9, 6, 14, 3)]
        print(f"{epoch} {sum(losses) / len(losses):.4f}")
    return model
""",
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)
RETRY_CLEAR = "    optimizer.zero_grad()\n    pieces = 1\n"
RETRY_CLIP = "    nn.utils.clip_grad_norm_(model.parameters(), 0.2)\n"


def retry_when_out_of_memory() -> Iterator[Case]:
    loops = RETRY
    yield loops.right("as-it-is")
    yield loops.right(
        "cleared-by-the-attempt",
        (RETRY_CLEAR, "    pieces = 1\n"),
        ("            optimizer.zero_grad(set_to_none=True)\n", ""),
        ("            total = 0.0\n", "            optimizer.zero_grad()\n            total = 0.0\n"),
    )
    yield loops.wrong(
        "cleared-after-a-failure-only", ((RETRY_CLEAR, "    pieces = 1\n"),), tempts=("missing-zero-grad",)
    )
    yield loops.wrong(
        "shares-forgotten", ((", ys, len(xs) / len(x))", ", ys)"),), tempts=("unscaled-accumulation-loss",)
    )
    yield loops.wrong(
        "clip-of-the-pieces",
        ((RETRY_CLIP, ""), ("    loss.backward()\n", "    loss.backward()\n" + RETRY_CLIP)),
        tempts=("clip-per-micro-batch",),
    )
    yield loops.right(
        "second-attempt-on-half",
        ("            pieces *= 2\n", "            x, y = x[: len(x) // 2], y[: len(y) // 2]\n"),
    )


TWICE = Draft(
    "one-step-for-two-callers",
    """\
from functools import partial, wraps

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


def logged(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        out = fn(*args, **kwargs)
        print(fn.__name__, " ".join(f"{k}={v:.4f}" for k, v in out.items()))
        return out

    return inner


@logged
def take_step(params, optimizer, limit=0.3):
    norm = nn.utils.clip_grad_norm_(params, limit)
    optimizer.step()
    optimizer.zero_grad()
    return {"norm": norm.item(), "lr": optimizer.param_groups[0]["lr"]}


def warm(net, data, step):
    for x, y in data[:3]:
        nn.functional.mse_loss(net(x), y).backward()
        step()


def accumulate(net, data, step, scheduler, n=3):
    for i, (x, y) in enumerate(data):
        loss = nn.functional.mse_loss(net(x), y)
        loss = loss / n
        loss.backward()
        if (i + 1) % n == 0 or i + 1 == len(data):
            step()
            scheduler.step()


def main():
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(3, 7), nn.Mish(), nn.Linear(7, 1))
    opt = torch.optim.NAdam(net.parameters(), lr=0.02)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=6)
    data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(8)]
    step = partial(take_step, list(net.parameters()), opt)
    warm(net, data, step)
    for _ in range(2):
        accumulate(net, data, step, sched)
    return net
""",
    ("unscaled-accumulation-loss", "missing-zero-grad"),
)


def one_step_for_two_callers() -> Iterator[Case]:
    loops = TWICE
    yield loops.right("as-it-is", tempts=("accumulation-divisor-mismatch",))
    yield loops.wrong(
        "summed",
        (("        loss = loss / n\n", ""),),
        fine=(
            (
                (
                    "        loss = loss / n\n",
                    "        loss = loss / (n if i < len(data) - len(data) % n else len(data) % n)\n",
                ),
            ),
        ),
    )
    yield loops.wrong("never-cleared", (("    optimizer.zero_grad()\n", ""),))
    yield loops.wrong(
        "clip-behind",
        (
            (
                "    norm = nn.utils.clip_grad_norm_(params, limit)\n    optimizer.step()\n",
                "    optimizer.step()\n    norm = nn.utils.clip_grad_norm_(params, limit)\n",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield loops.wrong(
        "parameters-handed-on",
        (("list(net.parameters()), opt)", "net.parameters(), opt)"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield loops.right(
        "warm-up-clears-for-itself",
        ("    optimizer.zero_grad()\n", ""),
        (
            "def warm(net, data, step):\n    for x, y in data[:3]:\n",
            "def warm(net, data, step):\n    for x, y in data[:3]:\n        net.zero_grad()\n",
        ),
        (
            "        loss = nn.functional",
            "        if i % n == 0:\n            net.zero_grad()\n        loss = nn.functional",
        ),
    )


def cases() -> Iterator[Case]:
    yield from context_manager_steps()
    yield from steps_in_the_backward()
    yield from style_by_lbfgs()
    yield from retry_when_out_of_memory()
    yield from one_step_for_two_callers()
