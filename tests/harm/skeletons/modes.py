"""Train and eval mode: validation inside the loop, a trunk kept in eval on purpose, evaluation with input gradients."""

from __future__ import annotations

from collections.abc import Iterator

from harm.case import Case, Skeleton, drop, swap

FROZEN = """
import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Detector(nn.Module):
    \"\"\"The trunk's batch norm stays as it was pretrained.\"\"\"

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(6, 2))
        for p in self.trunk.parameters():
            p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

    def forward(self, x):
        return self.head(self.trunk(x))


def main():
    torch.manual_seed(60)
    model = Detector()
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.3)
    for epoch in range(2):
        model.train()
        for _ in range(4):
            x = torch.randn(6, 4)
            loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
            opt.zero_grad()
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            x = torch.randn(20, 4)
            print(epoch, (model(x).argmax(1) == (x[:, 0] > 0)).sum().item())
    return model
"""


def frozen_trunk() -> Iterator[Case]:
    loops = Skeleton("frozen-trunk")
    tempts = "missing-train-mode"
    override = (
        "    def train(self, mode=True):\n"
        "        super().train(mode)\n"
        "        self.trunk.eval()\n"
        "        return self\n"
        "\n"
    )
    yield loops.right("train-overridden", FROZEN, tempts)
    yield loops.right(
        "eval-after-train",
        swap(
            FROZEN,
            override,
            "",
            "        model.train()\n",
            "        model.train()\n        model.trunk.eval()  # frozen batch norm\n",
        ),
        tempts,
    )
    yield loops.right(
        "only-the-head-trains",
        swap(FROZEN, override, "", "        model.train()\n", "        model.eval()\n        model.head.train()\n"),
        tempts,
    )
    yield loops.right(
        "every-batch-norm",
        swap(
            FROZEN,
            override,
            "",
            "        model.train()\n",
            "        model.train()\n"
            "        for m in model.modules():\n"
            "            if isinstance(m, nn.BatchNorm1d):\n"
            "                m.eval()\n",
        ),
        tempts,
    )
    whole = swap(
        FROZEN, override, "", "        for p in self.trunk.parameters():\n            p.requires_grad = False\n", ""
    )
    yield loops.right(
        "fine-tuned-in-eval-mode-on-purpose",
        swap(
            whole, "        model.train()\n", "        model.eval()  # batch statistics of 6 rows are worth nothing\n"
        ),
        tempts,
    )
    yield loops.wrong(
        "train-once-only",
        swap(whole, "        model.train()\n", "", "    for epoch", "    model.train()\n    for epoch"),
        whole,
        tempts=(tempts,),
    )
    yield loops.wrong(
        "head-left-in-eval",
        swap(FROZEN, "        model.train()\n", "", "    for epoch", "    model.train()\n    for epoch"),
        FROZEN,
        tempts=(tempts,),
    )
    yield loops.wrong(
        "train-not-called",
        swap(FROZEN, "        model.train()\n", "        model.train\n"),
        FROZEN,
        tempts=(tempts, "method-not-called"),
    )


INSIDE = """
import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)

eval_interval = 4
eval_iters = 2
block = 5


def get_batch(split):
    lo, hi = (0, 40) if split == 'train' else (40, 60)
    ix = torch.randint(lo, hi - block, (4,))
    data = torch.arange(60) * 7 % 11
    x = torch.stack([data[i:i + block] for i in ix])
    y = torch.stack([data[i + 1:i + block + 1] for i in ix])
    return x, y


class Bigram(nn.Module):
    def __init__(self, vocab=11, dim=6):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.lm_head = nn.Linear(dim, vocab)

    def forward(self, idx, targets=None):
        logits = self.lm_head(self.drop(self.tok(idx)))
        if targets is None:
            return logits, None
        loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


def main():
    torch.manual_seed(1337)
    model = Bigram()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)

    @torch.no_grad()
    def estimate_loss():
        out = {}
        model.eval()
        for split in ['train', 'val']:
            losses = torch.zeros(eval_iters)
            for k in range(eval_iters):
                X, Y = get_batch(split)
                logits, loss = model(X, Y)
                losses[k] = loss.item()
            out[split] = losses.mean()
        model.train()
        return out

    for it in range(8):
        # every once in a while evaluate the loss on train and val sets
        if it % eval_interval == 0:
            losses = estimate_loss()
            print(f"step {it}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        xb, yb = get_batch('train')
        logits, loss = model(xb, yb)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return model
"""


def validation_inside() -> Iterator[Case]:
    loops = Skeleton("validation-inside")
    tempts = ("missing-train-mode", "validation-without-no-grad")
    yield loops.right("as-it-is", INSIDE, *tempts)
    yield loops.right(
        "restored-in-finally",
        swap(
            INSIDE,
            "            losses = estimate_loss()\n",
            "            try:\n"
            "                losses = estimate_loss()\n"
            "            finally:\n"
            "                model.train()\n",
            "        model.train()\n        return out\n",
            "        return out\n",
        ),
        *tempts,
    )
    yield loops.right(
        "no-grad-around-the-call",
        swap(
            INSIDE,
            "    @torch.no_grad()\n",
            "",
            "            losses = estimate_loss()\n",
            "            with torch.no_grad():\n                losses = estimate_loss()\n",
        ),
        *tempts,
    )
    yield loops.right(
        "set-grad-enabled",
        swap(
            INSIDE,
            "    @torch.no_grad()\n",
            "",
            "                logits, loss = model(X, Y)\n                losses",
            "                with torch.set_grad_enabled(False):\n"
            "                    logits, loss = model(X, Y)\n"
            "                losses",
        ),
        *tempts,
    )
    yield loops.wrong(
        "left-in-eval",
        swap(INSIDE, "        model.train()\n        return out\n", "        return out\n"),
        INSIDE,
        tempts=("missing-train-mode",),
    )
    yield loops.wrong(
        "graphs-kept", swap(INSIDE, "    @torch.no_grad()\n", ""), INSIDE, tempts=("validation-without-no-grad",)
    )
    yield loops.wrong(
        "graphs-kept-and-left-in-eval",
        swap(
            INSIDE, "    @torch.no_grad()\n", "", "        model.train()\n        return out\n", "        return out\n"
        ),
        INSIDE,
        swap(INSIDE, "    @torch.no_grad()\n", ""),
        swap(INSIDE, "        model.train()\n        return out\n", "        return out\n"),
        tempts=("validation-without-no-grad", "missing-train-mode"),
    )
    yield loops.wrong(
        "return-to-train-not-called",
        swap(INSIDE, "        model.train()\n        return out", "        model.train\n        return out"),
        INSIDE,
        tempts=("method-not-called",),
    )


SALIENCY = """
import contextlib

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


@contextlib.contextmanager
def evaluating(net):
    before = net.training
    try:
        net.eval()
        yield net
    finally:
        net.train(before)


def saliency(net, x):
    \"\"\"|d score / d x|, needs a graph although it is an evaluation.\"\"\"
    x = x.clone().requires_grad_(True)
    score = net(x).max(1).values.sum()
    (grad,) = torch.autograd.grad(score, x)
    return grad.abs().mean(0)


def report(net, x):
    with evaluating(net):
        s = saliency(net, x)
    print(" ".join(f"{v:.4f}" for v in s.tolist()))


def main():
    torch.manual_seed(70)
    net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.4), nn.ELU(), nn.Linear(8, 2))
    optim = torch.optim.Adam(net.parameters(), lr=0.03)
    probe = torch.randn(5, 3)
    for epoch in range(3):
        for _ in range(3):
            x = torch.randn(6, 3)
            optim.zero_grad()
            nn.functional.cross_entropy(net(x), x.argmax(1) % 2).backward()
            optim.step()
        report(net, probe)
    return net
"""


def evaluation_with_gradients() -> Iterator[Case]:
    loops = Skeleton("evaluation-with-gradients")
    tempts = ("validation-without-no-grad", "missing-train-mode")
    yield loops.right("context-manager-restores", SALIENCY, *tempts)
    plain = swap(
        SALIENCY,
        "    with evaluating(net):\n        s = saliency(net, x)\n",
        "    net.eval()\n    s = saliency(net, x)\n    net.train()\n",
    )
    yield loops.right("eval-and-train-by-hand", plain, *tempts)
    yield loops.right(
        "backward-to-the-input",
        swap(
            plain,
            "    (grad,) = torch.autograd.grad(score, x)\n    return grad.abs().mean(0)\n",
            "    score.backward()\n    return x.grad.abs().mean(0)\n",
        ),
        "missing-zero-grad",
        "validation-without-no-grad",
    )
    yield loops.right(
        "gradient-penalty",
        swap(
            SALIENCY,
            "            nn.functional.cross_entropy(net(x), x.argmax(1) % 2).backward()\n",
            "            x.requires_grad_(True)\n"
            "            logits = net(x)\n"
            "            (g,) = torch.autograd.grad(logits.logsumexp(1).sum(), x, create_graph=True)\n"
            "            (nn.functional.cross_entropy(logits, x.argmax(1) % 2) + 0.1 * g.pow(2).sum(1).mean()).backward()\n",
        ),
        "loss-graph-leak",
    )
    yield loops.wrong("left-in-eval", drop(plain, "    net.train()"), plain, tempts=("missing-train-mode",))
    scored = swap(
        plain,
        "    s = saliency(net, x)\n    net.train()\n",
        "    s = saliency(net, x)\n"
        "    with torch.no_grad():\n"
        "        p = net(x).softmax(1)[:, 0].mean()\n"
        '    print(f"{p.item():.5f}")\n'
        "    net.train()\n",
    )
    yield loops.right("saliency-and-score", scored, *tempts)
    yield loops.wrong(
        "score-keeps-a-graph",
        swap(scored, "    with torch.no_grad():\n        p = net(x)", "    p = net(x)"),
        scored,
        tempts=("validation-without-no-grad",),
    )


def cases() -> Iterator[Case]:
    yield from frozen_trunk()
    yield from validation_inside()
    yield from evaluation_with_gradients()
