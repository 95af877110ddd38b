import time

import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader
from torch.utils.tensorboard import SummaryWriter


class Timer:
    def __init__(self):
        self.start = time.perf_counter()

    def lap(self):
        now = time.perf_counter()
        elapsed, self.start = now - self.start, now
        return elapsed


class PoseTrainer:
    def __init__(self, net: nn.Module, log_dir: str, lr: float = 5e-4, log_every: int = 25):
        self.net = net.cuda()
        self.writer = SummaryWriter(log_dir)
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.scaler = GradScaler()
        self.log_every = log_every
        self.timer = Timer()
        self.n = 0

    def heatmap_loss(self, pred, target, weight):
        per_joint = (pred - target).square().mean(dim=(2, 3))
        return (per_joint * weight).sum() / weight.sum().clamp(min=1)

    def log(self, loss):
        self.scaler.update()
        self.writer.add_scalar("loss", loss.item(), self.n)
        self.writer.add_scalar("scale", self.scaler.get_scale(), self.n)
        self.writer.add_scalar("seconds", self.timer.lap() / self.log_every, self.n)

    def step(self, images, target, weight):
        with autocast():
            loss = self.heatmap_loss(self.net(images.cuda()), target.cuda(), weight.cuda())
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.n += 1
        if self.n % self.log_every == 0:
            self.log(loss)

    def fit(self, loader: DataLoader, epochs: int):
        plan = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [epochs * 8 // 10, epochs * 9 // 10])
        for _ in range(epochs):
            self.net.train()
            for batch in loader:
                self.step(*batch)
            plan.step()
        self.writer.close()
        return self.net
