import torch
from torch import nn

from scan.trainer import BallotTrainer


def ballots(n):
    g = torch.Generator().manual_seed(8)
    for _ in range(n):
        marks = torch.rand(12, 18, generator=g)
        yield marks, (marks[:, :9].sum(1) > marks[:, 9:].sum(1)).long()


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(18, 16), nn.ReLU(), nn.Linear(16, 2))
    trainer = BallotTrainer(net, torch.optim.Adam(net.parameters(), lr=0.01))
    trainer.fit(list(ballots(8)), epochs=3)
    print([round(n, 3) for n in trainer.norms[-3:]])
