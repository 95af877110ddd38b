"""A tailor's apprentice learns from a master who is the apprentice's own slow average."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


def grade(model, seams):
    model.eval()
    with torch.no_grad():
        return F.mse_loss(model(seams), seams.cumsum(1)).item()


def follow(master, apprentice, keep=0.9):
    with torch.no_grad():
        for slow, quick in zip(master.parameters(), apprentice.parameters()):
            slow.lerp_(quick, 1 - keep)


def train(record):
    torch.manual_seed(31)
    apprentice = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.4), nn.Linear(16, 4))
    master = copy.deepcopy(apprentice).eval()
    optimizer = torch.optim.Adam(apprentice.parameters(), lr=0.02)
    shown = torch.randn(20, 4)
    grades = []
    for week in range(5):
        for _ in range(5):
            seams = torch.randn(12, 4)
            with torch.no_grad():
                example = master(seams)
            made = apprentice(seams)
            loss = F.mse_loss(made, seams.cumsum(1)) + 0.3 * F.mse_loss(made, example)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            follow(master, apprentice)
            record(list(apprentice.parameters()))
        grades.append((grade(master, shown), grade(apprentice, shown)))


if __name__ == "__main__":
    train(lambda parameters: None)
