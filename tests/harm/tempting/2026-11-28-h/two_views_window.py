"""Consistency training: a labelled and a jittered view of each batch, backward one by one."""
import copy

import torch
from torch import nn
from torch.nn import functional as F

WINDOW = 4
PASSES = 8  # two per batch


@torch.no_grad()
def follow(teacher, student, momentum=0.9):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 1 - momentum)


def jitter(x):
    return x + 0.05 * torch.randn_like(x)


def train(record):
    torch.manual_seed(19)
    student = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
    teacher = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=0.3, momentum=0.9, nesterov=True)
    opt.zero_grad()
    for i in range(WINDOW * 7):
        x = torch.randn(12, 5)
        y = x[:, :3].argmax(1)

        supervised = F.cross_entropy(student(x), y)
        (supervised / PASSES).backward()

        target = teacher(jitter(x)).softmax(-1)
        consistency = F.cross_entropy(student(jitter(x)), target)
        (consistency / PASSES).backward()

        if (i + 1) % WINDOW == 0:
            opt.step()
            opt.zero_grad()
            follow(teacher, student)
            record(list(student.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
