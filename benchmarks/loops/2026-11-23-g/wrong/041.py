import torch
import torch.nn.functional as F
from torch import nn, optim


def mlp(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def make_distiller(teacher, student, lr=1e-2, T=2.0, alpha=0.7, window=4):
    opt = optim.Adam(student.parameters(), lr=lr)
    teacher.eval()
    remaining = window

    def criterion(x, y):
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=-1)
        logits = student(x)
        kd = F.kl_div(F.log_softmax(logits / T, dim=-1), soft, reduction="batchmean") * T * T
        return alpha * kd + (1 - alpha) * F.cross_entropy(logits, y)

    def backprop(loss):
        opt.zero_grad()
        (loss / window).backward()

    def step(x, y):
        nonlocal remaining
        loss = criterion(x, y)
        backprop(loss)
        remaining -= 1
        if remaining == 0:
            opt.step()
            remaining = window
        return loss.item()

    return step


def main():
    torch.manual_seed(9)
    teacher, student = mlp([6, 64, 4]), mlp([6, 8, 4])
    step = make_distiller(teacher, student)
    xs = torch.randn(16, 8, 6)
    for epoch in range(2):
        values = [step(x, x[:, :4].argmax(-1)) for x in xs]
        print(f"epoch={epoch} kd={sum(values) / len(values):.4f}")


main()
