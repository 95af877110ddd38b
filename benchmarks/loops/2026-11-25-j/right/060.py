from itertools import islice

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def full_windows(loader, window):
    usable = len(loader) // window * window
    return islice(loader, usable)


class Bf16Trainer:
    def __init__(self, net, window):
        self.net, self.window = net, window
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)

    def loss(self, batch):
        x, y = batch
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.net(x)
        return nn.functional.cross_entropy(logits.float(), y)

    def train_epoch(self, loader):
        self.net.train()
        for n, batch in enumerate(full_windows(loader, self.window), start=1):
            (self.loss(batch) / self.window).backward()
            if n % self.window == 0:
                self.opt.step()
                self.opt.zero_grad()

    def evaluate(self, loader):
        self.net.eval()
        with torch.no_grad():
            return sum(self.loss(batch).item() for batch in loader) / len(loader)


torch.manual_seed(160)
make = lambda n: TensorDataset(torch.randn(n, 11), torch.randint(0, 4, (n,)))
train_dl, dev_dl = DataLoader(make(90), batch_size=8, shuffle=True), DataLoader(make(32), batch_size=16)
trainer = Bf16Trainer(nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Dropout(0.1), nn.Linear(22, 4)), window=5)
for epoch in range(3):
    trainer.train_epoch(train_dl)
    print(f"epoch {epoch} dev loss {trainer.evaluate(dev_dl):.4f}")
