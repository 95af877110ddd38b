"""Mean teacher for semi-supervised classification. The teacher is an EMA and stays in eval mode for good."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMA:
    def __init__(self, source, decay):
        self.module = copy.deepcopy(source).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, source):
        for mine, theirs in zip(self.module.parameters(), source.parameters()):
            mine.lerp_(theirs, 1 - self.decay)

    def __call__(self, x):
        return self.module(x)


def jitter(x):
    return x + 0.2 * torch.randn_like(x)


def consistency_weight(step, ramp=10):
    return min(1.0, step / ramp)


def main(steps=24):
    torch.manual_seed(28)
    y = torch.randint(0, 3, (120,))
    x = torch.randn(120, 8) + 2 * F.one_hot(y, 8)
    labelled, unlabelled, test = slice(0, 20), slice(20, 90), slice(90, 120)

    student = nn.Sequential(nn.Linear(8, 24), nn.LayerNorm(24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 3))
    teacher = EMA(student, decay=0.9)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)

    for step in range(steps):
        teacher_view, student_view = jitter(x[unlabelled]), jitter(x[unlabelled])
        target = teacher(teacher_view).softmax(1)
        optimizer.zero_grad()
        supervised = F.cross_entropy(student(jitter(x[labelled])), y[labelled])
        consistency = F.mse_loss(student(student_view).softmax(1), target)
        (supervised + consistency_weight(step) * consistency).backward()
        optimizer.step()
        teacher.update(student)
        if step % 8 == 7:
            acc = (teacher(x[test]).argmax(1) == y[test]).float().mean()
            print(f"step {step + 1} sup {supervised.item():.3f} con {consistency.item():.4f} teacher acc {acc:.3f}")


main()
