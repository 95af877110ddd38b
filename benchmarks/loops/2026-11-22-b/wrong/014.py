import torch
from torch import nn, optim
from torch.utils.data import DataLoader


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.n = 0, 0

    def update(self, value, n=1):
        self.sum = self.sum + value * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


class GraphTrainer:
    def __init__(self, net: nn.Module, lr: float, accumulate: int):
        self.net = net
        self.optimizer = optim.AdamW(net.parameters(), lr=lr)
        self.plateau = optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=10)
        self.accumulate = accumulate
        self.counter = 0
        self.meter = Meter()

    def on_epoch_start(self):
        self.net.train()
        self.meter.reset()
        self.counter = 0

    def on_batch(self, data):
        pred = self.net(data.x, data.edge_index, data.batch)
        loss = nn.functional.l1_loss(pred.squeeze(-1), data.y)
        self.meter.update(loss, data.num_graphs)
        (loss / self.accumulate).backward()
        self.counter += 1
        if self.counter == self.accumulate:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.counter = 0

    @torch.no_grad()
    def validate(self, loader):
        self.net.eval()
        error = sum(
            (self.net(d.x, d.edge_index, d.batch).squeeze(-1) - d.y).abs().sum().item() for d in loader
        )
        return error / len(loader.dataset)

    def fit(self, train: DataLoader, valid: DataLoader, epochs: int):
        for epoch in range(epochs):
            self.on_epoch_start()
            for data in train:
                self.on_batch(data)
            mae = self.validate(valid)
            self.plateau.step(mae)
            print(f"{epoch:4d} train {float(self.meter.avg):.4f} valid {mae:.4f}")
        return self.net
