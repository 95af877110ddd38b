# Knowledge distillation into a small student. Usage: python distill.py
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(5)

TEMPERATURE = 2.0
ALPHA = 0.7
ACCUM_STEPS = 8
BATCH = 8


def net(width, depth):
    layers, c = [], 16
    for _ in range(depth):
        layers += [nn.Linear(c, width), nn.ReLU()]
        c = width
    return nn.Sequential(*layers, nn.Linear(c, 6))


teacher = net(64, 3).eval().requires_grad_(False)
student = net(16, 1)
optimizer = torch.optim.AdamW(student.parameters(), lr=4e-3)


def kd_loss(s, t, y):
    soft = F.kl_div(
        F.log_softmax(s / TEMPERATURE, dim=-1),
        F.softmax(t / TEMPERATURE, dim=-1),
        reduction="batchmean",
    ) * TEMPERATURE ** 2
    return ALPHA * soft + (1 - ALPHA) * F.cross_entropy(s, y)


def loop(n_micro=64):
    student.train()
    optimizer.zero_grad()
    ema = None
    for i in range(n_micro):
        x = torch.randn(BATCH, 16)
        with torch.no_grad():
            t_logits = teacher(x)
        y = t_logits.argmax(-1)
        loss = kd_loss(student(x), t_logits, y)
        loss = loss / 4
        loss.backward()
        ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()

        if (i + 1) % ACCUM_STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
            print(f"update {(i + 1) // ACCUM_STEPS}: {4 * ema:.4f}")


loop()
