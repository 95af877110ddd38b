"""Four lessons are looked at, the hardest one is learned; an easier one that was first is forgotten."""
import math

import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as error

LESSONS = 4


class Pupil:
    def __init__(self, record):
        self.mind = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.will = torch.optim.SGD(self.mind.parameters(), lr=0.4)
        self.record = record

    def study(self, lessons):
        hardest = -math.inf
        for x, y in lessons:
            loss = error(self.mind(x), y)
            if loss.item() > hardest:
                hardest = loss.item()
                self.will.zero_grad()
                loss.backward()
        self.will.step()
        self.record(list(self.mind.parameters()))
        return hardest


def lesson():
    x = torch.randn(10, 4)
    return x, (x[:, :2].sum(1, keepdim=True) > x[:, 2:].sum(1, keepdim=True)).float()


def train(record):
    torch.manual_seed(51)
    pupil = Pupil(record)
    for day in range(35):
        if pupil.study(lesson() for _ in range(LESSONS)) < 0.05:
            break


if __name__ == "__main__":
    train(lambda parameters: None)
