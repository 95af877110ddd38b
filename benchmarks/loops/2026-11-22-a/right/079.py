from contextlib import nullcontext

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Loop:
    def __init__(self, model, criterion, optimizer, *, accumulate=1, max_norm=None, amp=True):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.accumulate, self.max_norm = accumulate, max_norm
        self.amp = amp
        self.scaler = GradScaler("cuda", enabled=amp)
        self.boundary = False

    def begin(self, index, length):
        self.boundary = (index + 1) % self.accumulate == 0 or index + 1 == length

    def forward(self, x, y):
        with autocast("cuda") if self.amp else nullcontext():
            return self.criterion(self.model(x), y)

    def backward(self, loss):
        self.scaler.scale(loss / self.accumulate).backward()

    def clip(self):
        if self.max_norm is None or not self.boundary:
            return None
        self.scaler.unscale_(self.optimizer)
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def step(self):
        if self.boundary:
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def clear(self):
        if self.boundary:
            self.optimizer.zero_grad(set_to_none=True)

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for index, (x, y) in enumerate(loader):
            self.begin(index, len(loader))
            loss = self.forward(x.cuda(), y.cuda())
            self.backward(loss)
            self.clip()
            self.step()
            self.clear()
            total += loss.item()
        return total / len(loader)


def train(model, loader, epochs, lr=1e-3, accumulate=4):
    model = model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    loop = Loop(model, nn.CrossEntropyLoss(), optimizer, accumulate=accumulate, max_norm=1.0)
    for epoch in range(epochs):
        print(epoch, f"{loop.epoch(loader):.4f}")
