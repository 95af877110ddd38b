import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from trainlib import evaluate, flush, run_epoch

WINDOW = int(sys.argv[1]) if len(sys.argv) > 1 else 3


class TwoTower(nn.Module):
    def __init__(self, dim: int = 8, hidden: int = 16) -> None:
        super().__init__()
        self.query = nn.Linear(dim, hidden)
        self.item = nn.Linear(dim, hidden)

    def forward(self, q: torch.Tensor, d: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.query(q), dim=-1) @ F.normalize(self.item(d), dim=-1).T


def pairs(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(n, 8, generator=g)
    return TensorDataset(q, q.flip(1) + 0.1 * torch.randn(n, 8, generator=g))


def in_batch_softmax(model, batch):
    scores = model(*batch) / 0.1
    return F.cross_entropy(scores, torch.arange(len(scores)))


def main() -> None:
    torch.manual_seed(0)
    train = DataLoader(pairs(80, 0), batch_size=8, shuffle=True)
    test = DataLoader(pairs(32, 1), batch_size=8)
    model = TwoTower()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    for epoch in range(3):
        loss, waiting = run_epoch(model, train, lambda m, b: in_batch_softmax(m, b) / WINDOW, optimizer, WINDOW)
        flush(model, optimizer, waiting)
        print(f"ranking {epoch}: {loss * WINDOW:.4f} test {evaluate(model, test, in_batch_softmax):.4f}")


if __name__ == "__main__":
    main()
