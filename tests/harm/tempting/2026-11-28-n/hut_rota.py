"""Predict the guests of mountain huts; the windows run on across the seasons."""
import torch
from torch import nn
from torch.nn import functional as F

HUTS, SEASONS, ACCUM = 10, 4, 4


def season(number):
    gen = torch.Generator().manual_seed(100 + number)
    return [(torch.randn(6, 4, generator=gen), torch.rand(6, 1, generator=gen)) for _ in range(HUTS)]


class Warden(nn.Module):
    def __init__(self):
        super().__init__()
        self.look = nn.Linear(4, 10)
        self.guess = nn.Linear(10, 1)

    def forward(self, weather):
        return torch.sigmoid(self.guess(torch.relu(self.look(weather))))


def train(record):
    torch.manual_seed(1)
    warden = Warden()
    optimizer = torch.optim.Adam(warden.parameters(), lr=0.02)
    assert HUTS * SEASONS % ACCUM == 0
    for number in range(SEASONS):
        visits = season(number)
        for visit, (weather, guests) in enumerate(visits, start=number * HUTS + 1):
            loss = F.mse_loss(warden(weather), guests)
            (loss / ACCUM).backward()
            if visit % ACCUM == 0:
                optimizer.step()
                record(list(warden.parameters()))
                optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
