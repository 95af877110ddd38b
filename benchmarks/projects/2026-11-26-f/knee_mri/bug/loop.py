import torch
from torch.nn import functional as F

from callbacks import CallbackList


class Loop:
    def __init__(self, net, optimizer, slices, held_out, window, callbacks):
        self.net, self.optimizer = net, optimizer
        self.slices, self.held_out, self.window = slices, held_out, window
        self.callbacks = CallbackList(callbacks)
        self.epoch = 0

    def run(self, epochs):
        for self.epoch in range(epochs):
            self.net.train()
            for i, (zero_filled, full) in enumerate(self.slices):
                if i % self.window == 0:
                    self.callbacks.fire("window_begin", self)
                self.callbacks.fire("batch_begin", self)
                loss = F.l1_loss(self.net(zero_filled), full) / self.window
                loss.backward()
                if (i + 1) % self.window == 0 or i + 1 == len(self.slices):
                    self.callbacks.fire("update_begin", self)
                    self.optimizer.step()
                    self.callbacks.fire("update_end", self)
            self.callbacks.fire("epoch_end", self)

    @torch.no_grad()
    def psnr(self):
        self.net.eval()
        errors = [F.mse_loss(self.net(x), y) for x, y in self.held_out]
        return (-10 * torch.stack(errors).mean().log10()).item()
