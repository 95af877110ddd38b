"""Distillation with accumulation; the schedule's argument is a number of micro-batches."""
import math

import torch
from torch import nn
from torch.nn import functional as F

ACCUM = 4
UPDATES = 9
TEMPERATURE = 2.0


def rate(micro):
    done = micro // ACCUM
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done / UPDATES))


def soft_loss(student, teacher):
    return F.kl_div(
        F.log_softmax(student / TEMPERATURE, -1),
        F.softmax(teacher / TEMPERATURE, -1),
        reduction="batchmean",
    )


def train(record):
    torch.manual_seed(10)
    teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5)).requires_grad_(False)
    student = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 5))
    optimizer = torch.optim.SGD(student.parameters(), lr=0.4)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)

    for micro in range(UPDATES * ACCUM):
        x = torch.randn(8, 8)
        loss = soft_loss(student(x), teacher(x))
        (loss / ACCUM).backward()
        if micro % ACCUM == ACCUM - 1:
            optimizer.step()
            record(list(student.parameters()))
            optimizer.zero_grad()
        scheduler.step()


if __name__ == "__main__":
    train(lambda parameters: None)
