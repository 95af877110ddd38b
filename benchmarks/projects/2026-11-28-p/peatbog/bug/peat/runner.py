import torch
from torch.nn import functional as F


class Runner:
    def __init__(self, net, optimizer, dtype, scaler, window):
        self.net, self.optimizer = net, optimizer
        self.dtype, self.scaler, self.window = dtype, scaler, window

    def loss(self, depth, carbon):
        with torch.autocast("cpu", dtype=self.dtype):
            out = self.net(depth)
            return F.mse_loss(out.float(), carbon)

    def epoch(self, data):
        self.net.train()
        self.optimizer.zero_grad()
        total = 0.0
        for n, (depth, carbon) in enumerate(data, 1):
            loss = self.loss(depth, carbon)
            self.scaler.scale(loss * self.window.loss_weight).backward()
            total += loss.item()
            if n % self.window.accum_steps == 0 or n == len(data):
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
        return total / len(data)
