import torch
import torch.nn as nn


class Fitter:
    def __init__(self, net, optimizer, precision, max_norm, device):
        self.net = net
        self.optimizer = optimizer
        self.precision = precision
        self.max_norm = max_norm
        self.device = device
        self.loss_fn = nn.HuberLoss()

    def _batch(self, batch):
        return [t.to(self.device) for t in batch]

    def train_epoch(self, loader):
        self.net.train()
        total, n = 0.0, 0
        for batch in loader:
            x, y = self._batch(batch)
            self.optimizer.zero_grad(set_to_none=True)
            with self.precision.step_context():
                loss = self.loss_fn(self.net(x), y)
            self.precision.backward(loss)
            self.precision.unscale(self.optimizer)
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
            self.precision.optimizer_step(self.optimizer)
            total += loss.item() * len(x)
            n += len(x)
        return total / n

    @torch.no_grad()
    def test(self, loader):
        self.net.eval()
        total, n = 0.0, 0
        for batch in loader:
            x, y = self._batch(batch)
            with self.precision.step_context():
                total += self.loss_fn(self.net(x), y).item() * len(x)
            n += len(x)
        return total / n
