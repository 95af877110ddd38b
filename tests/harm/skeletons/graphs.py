"""Graphs learnt whole: one batch is all there is, training and validation are masks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

CITATIONS = Draft(
    "masks-on-one-graph",
    """\
import argparse

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


class Convolution(torch.nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.lin = torch.nn.Linear(inside, outside)

    def forward(self, x, adjacency):
        return adjacency @ self.lin(x)


class GCN(torch.nn.Module):
    def __init__(self, inside, hidden, classes, p):
        super().__init__()
        self.first = Convolution(inside, hidden)
        self.second = Convolution(hidden, classes)
        self.p = p

    def forward(self, x, adjacency):
        x = F.dropout(F.relu(self.first(x, adjacency)), self.p, self.training)
        return self.second(x, adjacency)


def citations(nodes=30):
    label = torch.arange(nodes) % 3
    links = (torch.rand(nodes, nodes) < 0.08).double() + 0.3 * (label[:, None] == label).double()
    links = ((links + links.T) / 2).fill_diagonal_(1.0)
    mask = torch.rand(nodes) < 0.5
    return torch.randn(nodes, 5) + F.one_hot(label, 5), links / links.sum(1, keepdim=True), label, mask


def train(model, optimizer, graph, args):
    x, adjacency, label, mask = graph
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x, adjacency)[mask], label[mask])
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), args.clip)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test(model, graph):
    x, adjacency, label, mask = graph
    model.eval()
    right = model(x, adjacency).argmax(1) == label
    return right[mask].double().mean().item(), right[~mask].double().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--clip", type=float, default=0.02)
    parser.add_argument("--patience", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(13)
    graph = citations()
    model = GCN(5, args.hidden, 3, p=0.4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", factor=0.5, patience=args.patience)
    best = 0.0
    for epoch in range(1, args.epochs + 1):
        loss = train(model, optimizer, graph, args)
        seen, unseen = test(model, graph)
        plateau.step(unseen)
        best = max(best, unseen)
        print(f"Epoch: {epoch:03d}, Loss: {loss:.4f}, Train: {seen:.3f}, Val: {unseen:.3f}, Best: {best:.3f}")
    return model
""",
    ("missing-train-mode", "validation-without-no-grad", "missing-zero-grad"),
)

G_TRAIN = "    model.train()\n"
G_CLEAR = "    optimizer.zero_grad()\n"
G_CLIP = "    torch.nn.utils.clip_grad_value_(model.parameters(), args.clip)\n"
G_STEP = "    optimizer.step()\n"
G_EPOCH = "        loss = train(model, optimizer, graph, args)\n        seen, unseen = test(model, graph)\n"
G_PLATEAU = "        plateau.step(unseen)\n"


def cases() -> Iterator[Case]:
    yield CITATIONS.right(
        "measured-first-then-learnt",
        (
            G_EPOCH + G_PLATEAU,
            """\
        seen, unseen = test(model, graph)
        if epoch > 1:
            plateau.step(unseen)  # speaks of the update before
        loss = train(model, optimizer, graph, args)
""",
        ),
        tempts=("scheduler-before-optimizer", "missing-train-mode"),
    )
    yield CITATIONS.right(
        "mode-comes-from-the-caller",
        (G_TRAIN, ""),
        ("def train(", "def one_epoch("),
        (
            "        loss = train(model, optimizer, graph, args)\n",
            "        loss = one_epoch(model.train(), optimizer, graph, args)\n",
        ),
        tempts=("missing-train-mode",),
    )
    yield CITATIONS.wrong(
        "learns-without-dropout-from-the-second-epoch-on",
        ((G_TRAIN, ""),),
        tempts=("missing-train-mode",),
    )
    yield CITATIONS.wrong(
        "measured-with-graph-and-slopes-pile-up",
        (("@torch.no_grad()\n", ""),),
        ((G_CLEAR, ""),),
        tempts=("validation-without-no-grad", "missing-zero-grad"),
    )
    yield CITATIONS.wrong(
        "values-clipped-behind-the-step",
        ((G_CLIP + G_STEP, G_STEP + G_CLIP),),
        tempts=("clip-after-step",),
    )
