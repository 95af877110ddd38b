"""Updates of another make: two passes for one step, closures, gradients collected and cleared on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

SAM = Draft(
    "sharpness-aware-steps",
    """\
import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        grads = [p.grad for group in self.param_groups for p in group["params"] if p.grad is not None]
        norm = torch.stack([g.norm() for g in grads]).norm()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.state[p]["old"] = p.data.clone()
                    p.add_(p.grad, alpha=group["rho"] / (norm.item() + 1e-12))
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data = self.state[p]["old"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()


def main():
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.1, lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    loader = [(torch.randn(5, 4), torch.randint(0, 2, (5,))) for _ in range(6)]
    for epoch in range(2):
        for inputs, targets in loader:
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.first_step(zero_grad=True)
            criterion(model(inputs), targets).backward()
            optimizer.second_step(zero_grad=True)
        print(epoch, f"{loss.item():.5f}")
    return model
""",
    ("missing-zero-grad", "unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

SECOND = """\
            criterion(model(inputs), targets).backward()
            optimizer.second_step(zero_grad=True)
"""
LIMIT = "            nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n"
CLIPPED = SECOND.replace("            optimizer", LIMIT + "            optimizer")


def sam() -> Iterator[Case]:
    yield SAM.right("cleared-in-the-steps")
    yield SAM.right(
        "cleared-by-hand",
        (
            "            optimizer.first_step(zero_grad=True)\n" + SECOND,
            """\
            optimizer.first_step()
            optimizer.zero_grad()
            criterion(model(inputs), targets).backward()
            optimizer.second_step()
            optimizer.zero_grad()
""",
        ),
    )
    yield SAM.right(
        "clip-of-the-second-only",
        (
            SECOND,
            SECOND.replace(
                "            optimizer",
                "            nn.utils.clip_grad_norm_(model.parameters(), 0.3)\n            optimizer",
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield SAM.left("second-never-cleared", (("second_step(zero_grad=True)", "second_step()"),))
    yield SAM.left("first-never-cleared", (("first_step(zero_grad=True)", "first_step()"),))
    clipped = SAM.styled((SECOND, CLIPPED))
    yield clipped.left(
        "clip-after-the-second",
        ((CLIPPED, SECOND.replace("(zero_grad=True)", "()") + LIMIT + "            optimizer.zero_grad()\n"),),
        tempts=("clip-after-step",),
    )


CLOSURE = Draft(
    "lbfgs-and-closures",
    """\
import torch
from torch import nn


def main():
    torch.set_default_dtype(torch.float64)
    model = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=5)
    x = torch.linspace(-1, 1, 24).reshape(8, 3)
    y = x.pow(2).sum(dim=1, keepdim=True)
    evaluations = 0
    for iteration in range(4):

        def closure():
            nonlocal evaluations
            evaluations += 1
            optimizer.zero_grad()
            loss = (model(x) - y).square().mean()
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        print(iteration, evaluations, f"{loss.item():.6f}")
    return model
""",
    ("missing-zero-grad", "zero-grad-in-accumulation"),
)

ADAM = CLOSURE.styled(
    (
        "torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=5)",
        "torch.optim.Adam(model.parameters(), lr=0.05)",
    ),
)


def closures() -> Iterator[Case]:
    yield CLOSURE.right("lbfgs")
    yield CLOSURE.wrong("lbfgs-never-cleared", (("            optimizer.zero_grad()\n", ""),))
    yield CLOSURE.left(
        "lbfgs-cleared-outside",
        (
            ("            optimizer.zero_grad()\n", ""),
            (
                "        loss = optimizer.step(closure)\n",
                "        optimizer.zero_grad()\n        loss = optimizer.step(closure)\n",
            ),
        ),
    )
    yield CLOSURE.right(
        "lbfgs-in-batches",
        (
            "            loss = (model(x) - y).square().mean()\n            loss.backward()\n",
            """\
            loss = 0.0
            for part, goal in zip(x.split(2), y.split(2)):
                piece = (model(part) - goal).square().sum() / len(x)
                piece.backward()
                loss += piece.item()
            loss = torch.tensor(loss)
""",
        ),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield ADAM.right("adam")
    yield ADAM.right(
        "adam-cleared-outside",
        ("            optimizer.zero_grad()\n", ""),
        (
            "        loss = optimizer.step(closure)\n",
            "        optimizer.zero_grad()\n        loss = optimizer.step(closure)\n",
        ),
    )
    yield ADAM.right(
        "adam-clipped-in-the-closure",
        (
            "            loss.backward()\n",
            "            loss.backward()\n            nn.utils.clip_grad_norm_(model.parameters(), 0.05)\n",
        ),
        tempts=("clip-after-step",),
    )
    limit = "nn.utils.clip_grad_norm_(model.parameters(), 0.05)\n"
    yield ADAM.styled(("            loss.backward()\n", "            loss.backward()\n            " + limit)).left(
        "adam-clipped-below",
        (("            " + limit, ""), ("        print(iteration", "        " + limit + "        print(iteration")),
        tempts=("clip-after-step",),
    )


SURGERY = Draft(
    "gradient-surgery",
    """\
import torch
from torch import nn


def flat_grad(parameters):
    return torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in parameters])


def project(grads):
    \"\"\"Take from each task's gradient what points against another's.\"\"\"
    result = torch.zeros_like(grads[0])
    for i, g in enumerate(grads):
        g = g.clone()
        for j, other in enumerate(grads):
            if i != j and (dot := g @ other) < 0:
                g -= dot / (other @ other) * other
        result += g
    return result


class Tasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(5, 6)
        self.heads = nn.ModuleList([nn.Linear(6, 1) for _ in range(2)])

    def forward(self, x):
        h = torch.tanh(self.shared(x))
        return [head(h).squeeze(1) for head in self.heads]


def main():
    model = Tasks()
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for step in range(10):
        x = torch.randn(6, 5)
        first, second = model(x)
        losses = [(first - x.sum(1)).square().mean(), (second + x.sum(1)).abs().mean()]
        collected = []
        for loss in losses:
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            collected.append(flat_grad(parameters))
        merged = project(collected)
        for p, piece in zip(parameters, merged.split([p.numel() for p in parameters])):
            p.grad = piece.view_as(p).clone()
        optimizer.step()
        if step % 5 == 4:
            print(step, " ".join(f"{loss.item():.4f}" for loss in losses))
    return model
""",
    ("zero-grad-in-accumulation", "unscaled-accumulation-loss", "missing-zero-grad"),
)

COLLECT = """\
        for loss in losses:
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            collected.append(flat_grad(parameters))
"""


def surgery() -> Iterator[Case]:
    yield SURGERY.right("cleared-for-each-task")
    yield SURGERY.right(
        "by-autograd",
        (
            COLLECT,
            """\
        for loss in losses:
            grads = torch.autograd.grad(loss, parameters, retain_graph=True, allow_unused=True)
            filled = [torch.zeros_like(p) if g is None else g for g, p in zip(grads, parameters)]
            collected.append(torch.cat([g.flatten() for g in filled]))
""",
        ),
    )
    yield SURGERY.right(
        "differences-of-sums",
        (
            COLLECT,
            """\
        optimizer.zero_grad()
        before = torch.zeros(sum(p.numel() for p in parameters))
        for loss in losses:
            loss.backward(retain_graph=True)
            now = flat_grad(parameters)
            collected.append(now - before)
            before = now.clone()
""",
        ),
    )
    yield SURGERY.right(
        "clip-of-each-task",
        (
            COLLECT,
            COLLECT.replace(
                "            collected", "            nn.utils.clip_grad_norm_(parameters, 0.5)\n            collected"
            ),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield SURGERY.right(
        "cleared-when-collected",
        (COLLECT, COLLECT.replace("            optimizer.zero_grad()\n", "") + "            optimizer.zero_grad()\n"),
        tempts=("zero-grad-before-step",),
    )


CACHE = Draft(
    "gradient-cache",
    """\
import torch
import torch.nn.functional as F
from torch import nn


def contrastive(a, b):
    return F.cross_entropy(a @ b.T / 0.5, torch.arange(len(a)))


class Cache:
    \"\"\"The loss of a large batch with the memory of a small one: representations first, then their gradients.\"\"\"

    def __init__(self, towers, chunk):
        self.towers, self.chunk = towers, chunk

    def embed(self, tower, x):
        return torch.cat([tower(piece) for piece in x.split(self.chunk)])

    def loss_and_backward(self, inputs):
        with torch.no_grad():
            leaves = [self.embed(tower, x).requires_grad_() for tower, x in zip(self.towers, inputs)]
        loss = contrastive(*leaves)
        loss.backward()
        for tower, x, leaf in zip(self.towers, inputs, leaves):
            for piece, grad in zip(x.split(self.chunk), leaf.grad.split(self.chunk)):
                surrogate = (tower(piece) * grad).sum()
                surrogate.backward()
        return loss.detach()


def main():
    towers = nn.ModuleList([nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3)) for _ in range(2)])
    optimizer = torch.optim.AdamW(towers.parameters(), lr=0.02)
    cache = Cache(towers, chunk=2)
    for step in range(6):
        batch = torch.randn(6, 4)
        optimizer.zero_grad()
        loss = cache.loss_and_backward((batch, batch + 0.1 * torch.randn(6, 4)))
        nn.utils.clip_grad_norm_(towers.parameters(), 0.5)
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    return towers
""",
    ("unscaled-accumulation-loss", "validation-without-no-grad"),
)


def cache() -> Iterator[Case]:
    yield CACHE.right("summed-over-chunks")
    yield CACHE.wrong(
        "clip-after-the-step",
        (
            (
                "        nn.utils.clip_grad_norm_(towers.parameters(), 0.5)\n        optimizer.step()\n",
                "        optimizer.step()\n        nn.utils.clip_grad_norm_(towers.parameters(), 0.5)\n",
            ),
        ),
        tempts=("clip-after-step",),
    )
    yield CACHE.wrong("never-cleared", (("        optimizer.zero_grad()\n", ""),), tempts=("missing-zero-grad",))
    yield CACHE.right(
        "inline",
        (
            "        loss = cache.loss_and_backward((batch, batch + 0.1 * torch.randn(6, 4)))\n",
            """\
        pair = (batch, batch + 0.1 * torch.randn(6, 4))
        leaves = [tower(x).detach().requires_grad_() for tower, x in zip(towers, pair)]
        loss = contrastive(*leaves)
        loss.backward()
        for tower, x, leaf in zip(towers, pair, leaves):
            for piece, grad in zip(x.split(3), leaf.grad.split(3)):
                tower(piece).backward(gradient=grad)
""",
        ),
        ("    cache = Cache(towers, chunk=2)\n", ""),
    )


READ = Draft(
    "gradients-read-after-the-step",
    """\
import torch
from torch import nn


def main():
    model = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    keep = 0.5
    data = [(torch.randn(4, 5), torch.randn(4, 1)) for _ in range(8)]
    for epoch in range(2):
        for x, y in data:
            loss = (model(x) - y).square().mean()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                for p in model.parameters():
                    p.grad.mul_(keep)  # heavy ball without a buffer: the rest of the gradient stays
        largest = max(p.grad.abs().max().item() for p in model.parameters())
        print(epoch, f"{loss.item():.4f} {largest:.4f}")
    return model
""",
    ("missing-zero-grad",),
)

KEEP = """\
            with torch.no_grad():
                for p in model.parameters():
                    p.grad.mul_(keep)  # heavy ball without a buffer: the rest of the gradient stays
"""
CLEAR = "            optimizer.zero_grad()\n"


def read() -> Iterator[Case]:
    yield READ.right("decayed")
    yield READ.right(
        "decayed-by-foreach", (KEEP, "            torch._foreach_mul_([p.grad for p in model.parameters()], keep)\n")
    )
    yield READ.right(
        "first-layer-kept-over-two",
        (KEEP, "            model[2].zero_grad()\n            if x.sum() > 0:\n                model[0].zero_grad()\n"),
        ("max(p.grad.abs().max().item() for p in model.parameters())", "0.0"),
    )
    yield READ.right(
        "norms-shown-at-the-end",
        (KEEP, ""),
        ("            loss = (model(x)", CLEAR + "            loss = (model(x)"),
        tempts=("missing-zero-grad", "zero-grad-in-accumulation"),
    )
    yield READ.styled((KEEP, ""), ("            loss = (model(x)", CLEAR + "            loss = (model(x)")).wrong(
        "never-cleared-but-shown", ((CLEAR, ""),)
    )
    yield READ.right(
        "compared-with-the-last",
        (
            KEEP,
            """\
            now = torch.cat([p.grad.flatten() for p in model.parameters()])
            if previous is not None:
                turns += int(torch.dot(now, previous) < 0)
            previous = now.clone()
"""
            + CLEAR,
        ),
        ("    keep = 0.5\n", "    previous, turns = None, 0\n"),
        (
            """\
        largest = max(p.grad.abs().max().item() for p in model.parameters())
        print(epoch, f"{loss.item():.4f} {largest:.4f}")
""",
            '        print(epoch, f"{loss.item():.4f}", turns)\n',
        ),
    )


def cases() -> Iterator[Case]:
    yield from sam()
    yield from closures()
    yield from surgery()
    yield from cache()
    yield from read()
