"""Knowledge distillation; a context leaves no gradients behind, whatever happens inside."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn


@contextmanager
def clean(*modules):
    try:
        yield
    finally:
        for module in modules:
            module.zero_grad(set_to_none=False)


def network(width):
    return nn.Sequential(nn.Linear(9, width), nn.ReLU(), nn.Linear(width, 3))


def data(n=72):
    x = torch.randn(n, 9)
    return x, (x[:, :3] * x[:, 3:6]).argmax(1)


def fit_teacher(teacher, x, y, record):
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=0.02)
    for rows in torch.randperm(len(x)).split(12):
        with clean(teacher):
            loss = F.cross_entropy(teacher(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            record(list(teacher.parameters()))
    return loss.item()


def distil(student, teacher, x, y, record, temperature=2.0):
    optimizer = torch.optim.AdamW(student.parameters(), lr=0.02)
    for rows in torch.randperm(len(x)).split(12):
        with clean(student, teacher):
            logits = student(x[rows])
            with torch.no_grad():
                soft = (teacher(x[rows]) / temperature).softmax(1)
            loss = 0.5 * F.cross_entropy(logits, y[rows])
            loss = loss + 0.5 * F.cross_entropy(logits / temperature, soft)
            loss.backward()
        optimizer.step()
        record(list(student.parameters()))
    return loss.item()


def train(record):
    torch.manual_seed(22)
    x, y = data()
    teacher, student = network(32), network(8)
    for epoch in range(3):
        print("teacher", epoch, f"{fit_teacher(teacher, x, y, record):.4f}")
    for epoch in range(3):
        print("student", epoch, f"{distil(student, teacher, x, y, record):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
