# === an attack that a switch turns on clears the window, and without it the rest of an epoch leaks
import torch
import torch.nn.functional as F


class Attack:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def attack_backward(self, x, y):
        saved = [p.data.clone() for p in self.model.parameters()]
        for p in self.model.parameters():
            p.data.add_(torch.randn_like(p), alpha=0.1)
        loss = F.mse_loss(self.model(x), y)
        self.optimizer.zero_grad()  # <- zero-grad-in-accumulation
        loss.backward()
        for p, old in zip(self.model.parameters(), saved):
            p.data = old


def train(cfg, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    attack = Attack(model, optimizer)
    for epoch in range(cfg.epochs):
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(model(x), y) / cfg.accum).backward()
            if cfg.use_attack:
                attack.attack_backward(x, y)
            if (i + 1) % cfg.accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
# === it always clears the window: what the epoch leaves is the least of it
import torch
import torch.nn.functional as F


def train(cfg, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(cfg.epochs):
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) / cfg.accum).backward()
            if (i + 1) % cfg.accum == 0:
                optimizer.step()
# === a switch clears the window, and without it the rest is stepped
import torch
import torch.nn.functional as F


def train(cfg, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(cfg.epochs):
        for i, (x, y) in enumerate(loader):
            if cfg.fresh:
                optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) / cfg.accum).backward()
            if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === right: the attack adds to the window
import torch
import torch.nn.functional as F


def train(cfg, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(cfg.epochs):
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(model(x), y) / cfg.accum).backward()
            if cfg.use_attack:
                (F.mse_loss(model(x + 0.1 * torch.randn_like(x)), y) / cfg.accum).backward()
            if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
