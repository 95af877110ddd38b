"""Mean teacher: one scoring helper for student and teacher."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


@torch.no_grad()
def follow(teacher, student, decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 1 - decay)


def two_moons(n, generator):
    y = torch.randint(0, 2, (n,), generator=generator)
    angle = 3.14 * torch.rand(n, generator=generator)
    x = torch.stack([angle.cos() + y, (1 - 2 * y) * angle.sin() + 0.3 * y], 1)
    return x + 0.1 * torch.randn(n, 2, generator=generator), y


def train(record):
    torch.manual_seed(130)
    generator = torch.Generator().manual_seed(130)
    student = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 2))
    teacher = copy.deepcopy(student).requires_grad_(False)
    teacher.eval()
    opt = torch.optim.Adam(student.parameters(), lr=1e-2)
    x_test, y_test = two_moons(100, generator)
    for step in range(30):
        x, y = two_moons(8, generator)
        u, _ = two_moons(32, generator)
        target = teacher(u).softmax(1)
        loss = F.cross_entropy(student(x), y) + F.mse_loss(student(u).softmax(1), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        record(list(student.parameters()))
        follow(teacher, student, decay=0.9)
        if step % 10 == 9:
            print(step, score(student, x_test, y_test), score(teacher, x_test, y_test))


if __name__ == "__main__":
    train(lambda parameters: None)
