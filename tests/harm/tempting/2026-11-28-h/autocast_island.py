"""Mean teacher under bfloat16 autocast, with a head that stays in float32."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 12))
        self.head = nn.Linear(12, 12)

    def forward(self, x):
        h = self.body(x)
        with torch.autocast("cpu", enabled=False):
            return self.head(h.float())


@torch.no_grad()
def follow(teacher, student):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 0.2)


def train(record):
    torch.manual_seed(23)
    student = Net()
    teacher = copy.deepcopy(student).requires_grad_(False)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.2, momentum=0.9)
    bank = torch.zeros(12)
    for _ in range(20):
        x = torch.randn(16, 6)
        y = torch.cat([x, x.square()], 1)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = student(x)
            loss = F.mse_loss(out, y) + 0.1 * (out.mean(0) - bank).square().mean()
            loss.backward()
            feature = teacher(x + 0.1 * torch.randn_like(x)).mean(0)
        bank = 0.9 * bank + 0.1 * feature.float()
        optimizer.step()
        follow(teacher, student)
        record(list(student.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
