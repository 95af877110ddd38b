import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AccumulatingTrainer:
    """Keeps track of how many backwards are pending and flushes them at the end of an epoch."""

    def __init__(self, model, optimizer, loss_fn, accumulate):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.accumulate = accumulate
        self.pending = 0
        self.n_updates = 0

    def _update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0
        self.n_updates += 1

    def _backward(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        (loss / self.accumulate).backward()
        self.pending += 1
        return loss.detach()

    def train_epoch(self, loader):
        self.model.train()
        total = torch.zeros(())
        for x, y in loader:
            total += self._backward(x, y)
            if self.pending == self.accumulate:
                self._update()
        if self.pending > 0:
            self._update()
        return (total / len(loader)).item()


def spirals(n=170):
    t = torch.rand(n) * 4
    k = torch.randint(0, 2, (n,))
    x = torch.stack([t * torch.cos(2 * t + 3.14 * k), t * torch.sin(2 * t + 3.14 * k)], 1)
    return TensorDataset(x, k)


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(spirals(), batch_size=12, shuffle=True)
    net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2))
    trainer = AccumulatingTrainer(net, torch.optim.Adam(net.parameters(), 5e-3), nn.CrossEntropyLoss(), 4)
    for epoch in range(3):
        print(epoch, trainer.train_epoch(loader), trainer.n_updates)
