import argparse

import torch
from torch.nn.functional import cross_entropy

from .contexts import fresh_grads
from .distill import distill
from .nets import data, mlp
from .objective import SoftTargets


def teach(net, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(epochs):
        for x, y in loader:
            with fresh_grads(optimizer):
                cross_entropy(net(x), y).backward()
                optimizer.step()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    loader = data(16)
    teacher, student, timings = mlp(48, 2), mlp(12, 1, p=0.1), {}
    teach(teacher, loader, 3)
    optimizer = torch.optim.AdamW(student.parameters(), lr=5e-3)
    for epoch in range(args.epochs):
        loss = distill(student, teacher, loader, optimizer, SoftTargets(), args.accum, timings)
        print(f"epoch {epoch} loss {loss:.4f} {timings}")
