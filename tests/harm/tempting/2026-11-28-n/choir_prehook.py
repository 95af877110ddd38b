"""Voice recognition in a choir; the window is averaged by the optimizer's own hook."""
import torch
from torch import nn
from torch.nn import functional as F

WINDOW = 5


def average_over(window):
    def hook(optimizer, args, kwargs):
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(1 / window)

    return hook


def rehearsals(count):
    gen = torch.Generator().manual_seed(8)
    for _ in range(count):
        sound = torch.randn(7, 6, generator=gen)
        yield sound, sound[:, :4].argmax(1)


def train(record):
    torch.manual_seed(2)
    ear = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(ear.parameters(), lr=0.3, momentum=0.9, weight_decay=1e-3)
    optimizer.register_step_pre_hook(average_over(WINDOW))
    heard = 0.0
    for n, (sound, voice) in enumerate(rehearsals(WINDOW * 8), start=1):
        loss = F.cross_entropy(ear(sound), voice)
        loss.backward()
        heard += loss.item()
        if n % WINDOW == 0:
            optimizer.step()
            record(list(ear.parameters()))
            optimizer.zero_grad()
    return heard


if __name__ == "__main__":
    train(lambda parameters: None)
