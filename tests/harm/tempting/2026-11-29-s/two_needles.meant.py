"""A cosine over updates and a blend over micro-batches: the teacher follows each of these, the rate does not."""
import copy
import math

import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import CosineAnnealingLR

LAPS, HOLD, BATCHES = 5, 3, 14


class Blend:
    """From a quick teacher to a slow one, in as many marks as there are micro-batches."""

    def __init__(self, teacher, student, marks):
        self.teacher, self.student, self.marks, self.at = teacher, student, marks, 0

    def step(self):
        share = 0.3 * (1 - self.at / self.marks)
        with torch.no_grad():
            for slow, quick in zip(self.teacher.parameters(), self.student.parameters()):
                slow.lerp_(quick, share)
        self.at += 1


def train(record):
    torch.manual_seed(305)
    student = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    teacher = copy.deepcopy(student).requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=0.5)
    total_updates = LAPS * math.ceil(BATCHES / HOLD)
    cosine = CosineAnnealingLR(opt, T_max=total_updates)
    blend = Blend(teacher, student, LAPS * BATCHES)
    batches = [(x, x.max(1, keepdim=True).values) for x in torch.randn(BATCHES, 12, 4)]
    for lap in range(LAPS):
        for number, (x, y) in enumerate(batches, 1):
            loss = mse_loss(student(x), y) + 0.5 * mse_loss(student(x + 0.1), teacher(x))
            (loss / HOLD).backward()
            if number % HOLD == 0 or number == len(batches):
                opt.step()
                record(list(student.parameters()))
                cosine.step()
                opt.zero_grad()
            blend.step()


if __name__ == "__main__":
    train(lambda parameters: None)
