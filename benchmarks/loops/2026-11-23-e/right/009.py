import copy

import torch
import torch.nn.functional as F
from torch import nn


class Student(nn.Module):
    def __init__(self, d=8, classes=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.body(x))


class MeanTeacher:
    def __init__(self, student, decay=0.99):
        self.student = student
        self.teacher = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay

    def targets(self, x):
        self.teacher.eval()
        with torch.no_grad():
            return self.teacher(x).softmax(-1)

    @torch.no_grad()
    def update(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - self.decay)
        for t, s in zip(self.teacher.buffers(), self.student.buffers()):
            t.copy_(s)


def ramp(step, length=20):
    return min(1.0, step / length)


def main():
    torch.manual_seed(0)
    labelled = torch.randn(48, 8)
    labels = labelled[:, :3].argmax(-1)
    unlabelled = torch.randn(480, 8)
    mt = MeanTeacher(Student())
    optimizer = torch.optim.Adam(mt.student.parameters(), lr=3e-3)
    mt.student.train()
    for step in range(50):
        li = torch.randint(0, 48, (16,))
        u = unlabelled[torch.randint(0, 480, (32,))]
        sup = F.cross_entropy(mt.student(labelled[li]), labels[li])
        cons = F.mse_loss(mt.student(u + 0.1 * torch.randn_like(u)).softmax(-1), mt.targets(u))
        loss = sup + ramp(step) * cons
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mt.update()
        if step % 10 == 0:
            print(step, round(sup.item(), 3), round(cons.item(), 4))


main()
