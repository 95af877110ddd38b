"""Ledgers of an archive: columns and margins, from one backward or from their own."""
import torch
from torch import nn
from torch.nn import functional as F


class Ledger:
    def __init__(self):
        self.page, self.column, self.margin = nn.Linear(5, 8), nn.Linear(8, 2), nn.Linear(8, 1)
        body = [*self.page.parameters(), *self.column.parameters()]
        self.main = torch.optim.SGD(body, lr=0.1)
        self.side = torch.optim.SGD(self.margin.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1.0, growth_interval=3)

    def parameters(self):
        return [p for group in self.main.param_groups + self.side.param_groups for p in group["params"]]

    def read(self, ink):
        with torch.autocast("cpu", dtype=torch.float16):
            seen = torch.tanh(self.page(ink))
            return self.column(seen).float(), self.margin(seen.detach()).float()

    def commit(self, *optimizers):
        for optimizer in optimizers:
            self.scaler.step(optimizer)
        self.scaler.update()
        for optimizer in optimizers:
            optimizer.zero_grad()


def train(record):
    torch.manual_seed(36)
    ledger = Ledger()
    for _ in range(6):
        ink = torch.randn(8, 5)
        _, margin = ledger.read(ink)
        ledger.scaler.scale(F.mse_loss(margin, ink[:, :1])).backward()
        ledger.commit(ledger.side)
        record(ledger.parameters())
    for _ in range(12):
        ink = torch.randn(8, 5)
        column, margin = ledger.read(ink)
        loss = F.mse_loss(column, ink[:, 1:3]) + F.mse_loss(margin, ink[:, :1])
        ledger.scaler.scale(loss).backward()
        ledger.commit(ledger.main, ledger.side)
        record(ledger.parameters())


if __name__ == "__main__":
    train(lambda parameters: None)
