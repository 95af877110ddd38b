"""A GradScaler that may be absent or switched off, and precision contexts that are picked as the script goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

OPTIONAL = Draft(
    "scaler-or-none",
    """\
import argparse

import torch
import torch.nn as nn


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", action="store_true")
    parser.add_argument("--max-grad-norm", type=float, default=0.3)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args(["--fp16"])


def main():
    args = parse_args()
    model = nn.Sequential(nn.Linear(6, 8), nn.Sigmoid(), nn.Linear(8, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    criterion = nn.MSELoss()
    scaler = torch.amp.GradScaler("cpu", init_scale=4096.0) if args.fp16 else None
    dataset = [(torch.randn(3, 6), torch.randn(3, 4)) for _ in range(7)]
    for epoch in range(args.epochs):
        total_loss = 0.0
        for x, y in dataset:
            optimizer.zero_grad()
            if scaler is not None:
                with torch.amp.autocast("cpu", dtype=torch.float16):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
            else:
                loss = criterion(model(x), y)
                loss.backward()
            if scaler is not None:
                scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
            if scaler is not None:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            total_loss += loss.item()
        print(f"[{epoch}] {total_loss / len(dataset):.4f}")
    return model
""",
    ("clip-scaled-gradients", "step-bypasses-scaler"),
)

FP32 = ('parse_args(["--fp16"])', "parse_args([])")
UNSCALED = ("            if scaler is not None:\n                scaler.unscale_(optimizer)\n", "")
UPDATE = ("                scaler.update()\n", "")
LADDER = """\
            if scaler is not None:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
"""
BACKWARDS = """\
            if scaler is not None:
                with torch.amp.autocast("cpu", dtype=torch.float16):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
            else:
                loss = criterion(model(x), y)
                loss.backward()
"""
TRUTHY = OPTIONAL.styled(
    (UNSCALED[0], UNSCALED[0].replace("scaler is not None", "args.fp16")),
    (LADDER, LADDER.replace("scaler is not None", "args.fp16")),
    (BACKWARDS, BACKWARDS.replace("scaler is not None", "args.fp16")),
)
EARLY = OPTIONAL.styled(
    (UNSCALED[0] + "            nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)\n", ""),
    (LADDER, LADDER),
)


def optional() -> Iterator[Case]:
    yield OPTIONAL.right("ladders")
    yield OPTIONAL.styled(FP32).right("ladders-in-fp32")
    yield OPTIONAL.wrong("clip-of-scaled", (UNSCALED,))
    yield OPTIONAL.styled(FP32).right("clip-of-scaled-in-fp32", UNSCALED)
    yield TRUTHY.right("asked-of-the-flag")
    yield TRUTHY.wrong(
        "asked-of-the-flag-clip-of-scaled", ((UNSCALED[0].replace("scaler is not None", "args.fp16"), ""),)
    )
    yield OPTIONAL.wrong("no-update", (UPDATE,), tempts=("missing-scaler-update",), raises="RuntimeError")
    yield EARLY.wrong(
        "step-past-the-scaler", ((LADDER, "            optimizer.step()\n"),), tempts=("step-bypasses-scaler",)
    )
    yield EARLY.styled(FP32).right(
        "step-past-the-scaler-in-fp32", (LADDER, "            optimizer.step()\n"), tempts=("step-bypasses-scaler",)
    )
    yield OPTIONAL.right(
        "scaler-that-is-off",
        ("if args.fp16 else None", "if args.fp16 else torch.amp.GradScaler(enabled=False)"),
        tempts=("step-bypasses-scaler", "unscaled-backward"),
    )
    yield OPTIONAL.right(
        "clip-in-both-branches",
        (UNSCALED[0] + "            nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)\n", ""),
        (
            LADDER,
            """\
            if scaler:
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                scaler.step(optimizer)
                scaler.update()
                suffix = ""
            else:
                nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                suffix = " (fp32)"
""",
        ),
        ('{total_loss / len(dataset):.4f}"', '{total_loss / len(dataset):.4f}" + suffix'),
    )


CONTEXTS = Draft(
    "precision-contexts",
    """\
import contextlib

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 6)
        self.encode = nn.Linear(6, 6)
        self.decode = nn.Linear(6, 3)

    def forward(self, tokens):
        return self.decode(torch.relu(self.encode(self.embed(tokens))))


def autocast_for(kind):
    if kind == "half":
        return torch.autocast("cpu", dtype=torch.float16)
    return contextlib.nullcontext()


def main():
    kind = "half"
    model = Tagger()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, enabled=kind == "half")
    cross_entropy = nn.CrossEntropyLoss()
    sentences = [(torch.randint(0, 12, (5,)), torch.randint(0, 3, (5,))) for _ in range(8)]
    seen = 0
    for epoch in range(2):
        for tokens, tags in sentences:
            with autocast_for(kind):
                scores = model(tokens)
                loss = cross_entropy(scores, tags)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            seen += tokens.numel()
        print("tokens", seen, "last loss", round(loss.item(), 4))
    return model
""",
    ("backward-in-autocast",),
)

WITH = """\
            with autocast_for(kind):
                scores = model(tokens)
                loss = cross_entropy(scores, tags)
            scaler.scale(loss).backward()
"""
LITERAL = CONTEXTS.styled(
    ("            with autocast_for(kind):\n", '            with torch.autocast("cpu", dtype=torch.float16):\n')
)
LITERAL_WITH = WITH.replace("autocast_for(kind)", 'torch.autocast("cpu", dtype=torch.float16)')
TWO_PASSES = """\
            with torch.autocast("cpu", dtype=torch.float16):
                scores = model(tokens)
                loss = cross_entropy(scores, tags)
                scaler.scale(loss).backward()
                again = model(tokens.flip(0))
                consistency = (again.flip(0) - scores.detach()).square().mean()
            scaler.scale(consistency).backward()
"""


def contexts() -> Iterator[Case]:
    yield CONTEXTS.right("chosen-by-a-function")
    # a backward inside costs nothing here, so a repair must change nothing
    yield LITERAL.right(
        "backward-inside",
        (LITERAL_WITH, LITERAL_WITH.replace("            scaler.scale(loss)", "                scaler.scale(loss)")),
    )
    yield CONTEXTS.right(
        "backward-inside-chosen",
        (WITH, WITH.replace("            scaler.scale(loss)", "                scaler.scale(loss)")),
    )
    yield LITERAL.styled(
        (
            LITERAL_WITH,
            TWO_PASSES.replace("                scaler.scale(loss).backward()\n", "").replace(
                "            scaler.scale(consistency)",
                "            scaler.scale(loss).backward()\n            scaler.scale(consistency)",
            ),
        )
    ).right(
        "forward-below-the-backward",
        (
            """\
                again = model(tokens.flip(0))
                consistency = (again.flip(0) - scores.detach()).square().mean()
            scaler.scale(loss).backward()
""",
            """\
                scaler.scale(loss).backward()
                again = model(tokens.flip(0))
                consistency = (again.flip(0) - scores.detach()).square().mean()
""",
        ),
    )
    yield LITERAL.left(
        "whole-update-inside",
        (
            (
                LITERAL_WITH
                + """\
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
""",
                LITERAL_WITH.replace("            scaler.scale(loss)", "                scaler.scale(loss)") + """\
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
"""
                "                after = cross_entropy(model(tokens), tags).item()\n",
            ),
            ("round(loss.item(), 4))", "round(loss.item(), 4), round(after, 4))"),
        ),
        fine=(
            (
                (
                    LITERAL_WITH
                    + """\
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
""",
                    LITERAL_WITH + """\
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
"""
                    '            with torch.autocast("cpu", dtype=torch.float16):\n'
                    "                after = cross_entropy(model(tokens), tags).item()\n",
                ),
                ("round(loss.item(), 4))", "round(loss.item(), 4), round(after, 4))"),
            ),
        ),
    )
    yield CONTEXTS.right(
        "exit-stack",
        (
            WITH,
            """\
            with contextlib.ExitStack() as stack:
                if kind == "half":
                    stack.enter_context(torch.autocast("cpu", dtype=torch.float16))
                scores = model(tokens)
                loss = cross_entropy(scores, tags)
            scaler.scale(loss).backward()
""",
        ),
    )
    yield CONTEXTS.right(
        "switched-off-inside",
        (
            WITH,
            """\
            with torch.autocast("cpu", dtype=torch.float16):
                scores = model(tokens)
                with torch.autocast("cpu", enabled=False):
                    loss = cross_entropy(scores.float(), tags)
                    scaler.scale(loss).backward()
""",
        ),
    )
    yield CONTEXTS.right(
        "conditional-expression",
        (
            WITH,
            WITH.replace(
                "with autocast_for(kind):",
                'with torch.autocast("cpu", dtype=torch.float16) if kind == "half" else contextlib.nullcontext():',
            ),
        ),
    )


AUXILIARY = Draft(
    "scaled-and-auxiliary-losses",
    """\
import torch
from torch import nn
from torch.nn import functional


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 8)
        self.main_head = nn.Linear(8, 2)
        self.aux_head = nn.Linear(8, 1)

    def forward(self, x):
        h = functional.elu(self.trunk(x))
        return self.main_head(h), self.aux_head(h).squeeze(1)


def main():
    model = TwoHeads()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    weight = 0.5
    batches = [(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(8)]
    for epoch in range(2):
        sums = [0.0, 0.0]
        for x, y in batches:
            optimizer.zero_grad()
            logits, quality = model(x)
            loss = functional.cross_entropy(logits, y)
            aux = weight * functional.mse_loss(quality, x.norm(dim=1))
            scaler.scale(loss).backward(retain_graph=True)
            scaler.scale(aux).backward()
            scaler.step(optimizer)
            scaler.update()
            sums[0] += loss.item()
            sums[1] += aux.item()
        print(epoch, [round(s / len(batches), 4) for s in sums])
    return model
""",
    ("unscaled-backward",),
)

BOTH = "            scaler.scale(loss).backward(retain_graph=True)\n            scaler.scale(aux).backward()\n"


def auxiliary() -> Iterator[Case]:
    yield AUXILIARY.right("both-scaled")
    yield AUXILIARY.right(
        "scaled-as-a-list", (BOTH, "            torch.autograd.backward(scaler.scale([loss, aux]))\n")
    )
    yield AUXILIARY.right(
        "scaled-sum-in-a-name",
        (
            BOTH,
            "            total = loss + aux\n            total = scaler.scale(total)\n            total.backward()\n",
        ),
    )
    yield AUXILIARY.right(
        "multiplied-by-the-scale",
        (
            BOTH,
            """\
            scaler.scale(loss).backward(retain_graph=True)
            (aux * scaler.get_scale()).backward()
""",
        ),
    )
    yield AUXILIARY.wrong(
        "auxiliary-unscaled", (("            scaler.scale(aux).backward()\n", "            aux.backward()\n"),)
    )
    yield AUXILIARY.wrong(
        "result-dropped",
        (
            (
                "            scaler.scale(aux).backward()\n",
                "            scaler.scale(aux)\n            aux.backward()\n",
            ),
        ),
    )
    yield AUXILIARY.styled(
        (BOTH, "            loss_sum = loss + aux\n            scaler.scale(loss_sum).backward()\n")
    ).wrong(
        "sum-unscaled",
        (
            (
                "            scaler.scale(loss_sum).backward()\n",
                "            scaler.scale(loss)\n            loss_sum.backward()\n",
            ),
        ),
    )
    yield AUXILIARY.right(
        "logged-scaled",
        (
            "            scaler.scale(loss).backward(retain_graph=True)\n",
            "            loss = scaler.scale(loss)\n            loss.backward(retain_graph=True)\n",
        ),
    )


def cases() -> Iterator[Case]:
    yield from optional()
    yield from contexts()
    yield from auxiliary()
