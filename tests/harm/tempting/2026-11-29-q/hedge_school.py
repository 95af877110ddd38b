"""A frozen trunk keeps its statistics; the head has dropout and is tested each epoch."""
import torch
from torch import nn


class Pupil(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.4), nn.Linear(8, 1))
        for p in self.trunk.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        return self.head(self.trunk(x))


def exam(pupil, x, y):
    pupil.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(pupil(x), y).item()


def train(record):
    torch.manual_seed(23)
    pupil = Pupil()
    pupil.trunk.eval()
    opt = torch.optim.Adam(pupil.head.parameters(), lr=0.01)
    x = torch.randn(64, 4) + 1
    y = x.norm(dim=1, keepdim=True)
    marks = []
    for _ in range(6):
        for a, b in zip(x.split(8), y.split(8)):
            opt.zero_grad()
            nn.functional.mse_loss(pupil(a), b).backward()
            opt.step()
            record(list(pupil.head.parameters()))
        marks.append(exam(pupil, x, y))
    return marks


if __name__ == "__main__":
    train(lambda parameters: None)
