import contextlib

import torch
import torch.nn.functional as F
from torch import nn


@contextlib.contextmanager
def evaluating(*modules):
    modes = [m.training for m in modules]
    for m in modules:
        m.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for m, mode in zip(modules, modes):
            m.train(mode)


def backbone(width):
    return nn.Sequential(nn.Linear(9, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.25), nn.Linear(width, 3))


def agreement(student, teacher, x):
    with evaluating(student, teacher):
        return (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()


def hints(teacher, x):
    with evaluating(teacher):
        logits = teacher(x)
    return logits.clone()


def distill(student, teacher, data, *, epochs, lr, eval_every):
    optimizer = torch.optim.AdamW(student.parameters(), lr=lr)
    held_out = torch.randn(64, 9)
    student.train()
    step = 0
    for _ in range(epochs):
        for x in data:
            target = hints(teacher, x)
            optimizer.zero_grad(set_to_none=True)
            loss = F.mse_loss(student(x), target)
            loss.backward()
            optimizer.step()
            step += 1
            if step % eval_every == 0:
                print(step, loss.item(), agreement(student, teacher, held_out), student.training)


torch.manual_seed(0)
teacher = backbone(48)
teacher.eval()
distill(backbone(12), teacher, [torch.randn(16, 9) for _ in range(10)], epochs=3, lr=5e-3, eval_every=6)
