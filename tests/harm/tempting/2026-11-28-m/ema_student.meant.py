"""Mean teacher: the student follows labels and the average of its own past."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


@torch.no_grad()
def follow(teacher, student, keep=0.9):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 1 - keep)


def train(record):
    torch.manual_seed(101)
    student = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))
    teacher = copy.deepcopy(student).requires_grad_(False)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
    labelled = torch.randn(10, 8, 4)
    for x in labelled:
        free = torch.randn(16, 4)
        with torch.no_grad():
            soft = teacher(free).softmax(1)
        supervised = F.cross_entropy(student(x), x[:, :3].argmax(1))
        consistency = F.mse_loss(student(free + 0.1 * torch.randn_like(free)).softmax(1), soft)
        (supervised + 2.0 * consistency).backward()
        optimizer.step()
        record(list(student.parameters()))
        optimizer.zero_grad()
        follow(teacher, student)


if __name__ == "__main__":
    train(lambda parameters: None)
