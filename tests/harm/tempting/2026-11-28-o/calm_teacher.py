"""Mean teacher: the student learns under dropout, its average answers without."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


def calm(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def average(teacher, student, keep):
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.mul_(keep).add_(s, alpha=1 - keep)


def train(record):
    torch.manual_seed(110)
    student = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Dropout(0.4), nn.Linear(24, 3))
    teacher = copy.deepcopy(student).requires_grad_(False)
    teacher.eval()
    student.train()
    opt = torch.optim.Adam(student.parameters(), lr=1e-2)
    x = torch.randn(120, 5)
    y = x[:, :3].argmax(1)
    scores = []
    for epoch in range(6):
        for at in range(0, 96, 24):
            batch, labels = x[at : at + 24], y[at : at + 24]
            opt.zero_grad()
            out = student(batch)
            # only the first half of each batch has labels
            agree = F.mse_loss(out.softmax(1), teacher(batch).softmax(1))
            (F.cross_entropy(out[:12], labels[:12]) + 2 * agree).backward()
            opt.step()
            record(list(student.parameters()))
            average(teacher, student, keep=0.9)
        scores.append(calm(teacher, x[96:], y[96:]) - calm(student, x[96:], y[96:]))
    return scores


if __name__ == "__main__":
    train(lambda parameters: None)
