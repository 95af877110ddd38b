# === an attack of another file clears what the clean loss left
import torch
from perturb import Attack


def train(model, loader, criterion, accum):
    optimizer = torch.optim.AdamW(model.parameters())
    attack = Attack(model, optimizer, eps=0.1)
    for i, (x, y) in enumerate(loader):
        (criterion(model(x), y) / accum).backward()
        loss = attack.attack_backward(x, y)
        loss.backward()
        attack.restore()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a schedule of another file only moves the rate
import torch
from schedules import Slanted


def train(model, loader, criterion, accum):
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = Slanted(optimizer, warmup=100)
    for i, (x, y) in enumerate(loader):
        (criterion(model(x), y) / accum).backward()
        auxiliary = criterion(model(x.flip(0)), y.flip(0))
        auxiliary.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            schedule.move()
