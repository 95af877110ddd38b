"""Sparse embedding with an optimizer of its own, a dense tower with another."""
import torch
from torch import nn
from torch.nn import functional as F


class Recommender(nn.Module):
    def __init__(self, items=50, width=8):
        super().__init__()
        self.items = nn.EmbeddingBag(items, width, sparse=True, mode="mean")
        self.tower = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, bags):
        return self.tower(self.items(bags)).squeeze(1)


def clicks(count, generator):
    for _ in range(count):
        bags = torch.randint(0, 50, (16, 5), generator=generator)
        yield bags, (bags.float().mean(1) > 25).float() * 4


def train(record):
    torch.manual_seed(6)
    model = Recommender()
    opt_items = torch.optim.SparseAdam(list(model.items.parameters()), lr=0.02)
    opt_tower = torch.optim.SGD(model.tower.parameters(), lr=0.1, momentum=0.9)
    for bags, target in clicks(30, torch.Generator().manual_seed(1)):
        loss = F.mse_loss(model(bags), target)
        loss.backward()

        opt_items.step()
        opt_items.zero_grad()
        # only the tower still holds gradients here
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt_tower.step()
        opt_tower.zero_grad()
        record(list(model.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
