# === a network inside another one, which is asked without gradients, too
import random

import torch
from torch import nn


class Diffusion(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    @torch.no_grad()
    def guess(self, x):
        return self.model(x)

    def losses(self, x, noise):
        hint = None
        if random.random() < 0.5:
            with torch.no_grad():
                hint = self.guess(x)
                hint.detach_()
        return nn.functional.mse_loss(self.model(x + noise, hint), noise)

    def forward(self, x):
        return self.losses(x, torch.randn_like(x))


def train(model, loader, accum):
    opt = torch.optim.AdamW(model.parameters())
    diffusion = Diffusion(model)
    for i, x in enumerate(loader):
        diffusion(x).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
# === right: a network inside that is only asked without gradients is trained by another loss
import torch
from torch import nn


class Distance(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher = teacher
        self.student = student

    def forward(self, x):
        with torch.no_grad():
            wanted = self.teacher(x)
        return nn.functional.mse_loss(self.student(x), wanted)


def train(teacher, student, loader):
    slow = torch.optim.AdamW(teacher.parameters())
    fast = torch.optim.AdamW(student.parameters())
    distance = Distance(teacher, student)
    for x, y in loader:
        fast.zero_grad()
        distance(x).backward()
        fast.step()
        slow.zero_grad()
        nn.functional.cross_entropy(teacher(x), y).backward()
        slow.step()
