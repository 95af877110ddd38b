import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast


class SuperResolution:
    def __init__(self, net, loader, lr=2e-4, clip=0.01):
        self.net = net.cuda()
        self.loader = loader
        self.clip = clip
        self.optimizer = torch.optim.Adam(self.trainable(), lr=lr, betas=(0.9, 0.99))
        self.scaler = GradScaler()
        self.criterion = nn.L1Loss()

    def trainable(self):
        return (p for p in self.net.parameters() if p.requires_grad)

    def clear(self):
        for p in self.trainable():
            p.grad = None

    def train_epoch(self):
        self.net.train()
        total = 0.0
        for low, high in self.loader:
            self.clear()
            with autocast():
                loss = self.criterion(self.net(low.cuda()), high.cuda())
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.trainable(), self.clip)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            total += loss.item()
        return total / len(self.loader)

    def fit(self, epochs):
        for epoch in range(epochs):
            print(f"{epoch:4d} L1 {self.train_epoch():.5f}")
            if epoch % 10 == 9:
                torch.save(self.net.state_dict(), f"x4_{epoch}.pt")
