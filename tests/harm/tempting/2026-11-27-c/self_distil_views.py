import copy

import torch
import torch.nn.functional as F
from torch import nn


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 24), nn.BatchNorm1d(24), nn.GELU())
        self.last_layer = nn.Linear(24, 10, bias=False)

    def forward(self, x):
        return self.last_layer(F.normalize(self.backbone(x), dim=-1))


class Distiller:
    def __init__(self, freeze_last=1):
        self.student = Student()
        self.teacher = copy.deepcopy(self.student)
        self.teacher.requires_grad_(False)
        self.center = torch.zeros(10)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=2e-3)
        self.freeze_last = freeze_last

    def distance(self, a, b):
        target = F.softmax((b - self.center) / 0.04, -1)
        self.center = 0.9 * self.center + 0.1 * b.mean(0)
        return -(target * F.log_softmax(a / 0.1, -1)).sum(-1).mean()

    def cancel(self, epoch):
        if epoch >= self.freeze_last:
            return
        for name, p in self.student.named_parameters():
            if "last_layer" in name:
                p.grad = None

    @torch.no_grad()
    def follow(self, m=0.98):
        for p, q in zip(self.student.parameters(), self.teacher.parameters()):
            q.mul_(m).add_(p, alpha=1 - m)

    def fit(self, images, epochs, record):
        for epoch in range(epochs):
            self.teacher.eval()
            for x in images:
                target = self.teacher(x + 0.1 * torch.randn_like(x))
                loss = self.distance(self.student(x + 0.1 * torch.randn_like(x)), target)
                self.opt.zero_grad()
                loss.backward()
                self.cancel(epoch)
                self.opt.step()
                record(list(self.student.parameters()) + list(self.teacher.parameters()))
                self.follow()


def train(record):
    torch.manual_seed(19)
    images = [torch.randn(16, 8) for _ in range(6)]
    Distiller().fit(images, 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
