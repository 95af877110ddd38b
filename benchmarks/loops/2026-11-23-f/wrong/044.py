import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    def __init__(self, net, accum):
        self.use_amp = torch.cuda.is_available()
        self.device = "cuda" if self.use_amp else "cpu"
        self.net = net.to(self.device)
        self.accum = accum
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=1e-3)
        self.scaler = torch.amp.GradScaler(self.device, enabled=self.use_amp)

    def loss(self, x, y):
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.use_amp):
            return nn.functional.cross_entropy(self.net(x), y) / self.accum

    def epoch(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = self.loss(x.to(self.device), y.to(self.device))
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optim)
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.scaler.step(self.optim)
                self.scaler.update()
                self.optim.zero_grad()
        return loss.item() * self.accum


if __name__ == "__main__":
    data = TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,)))
    engine = Engine(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)), accum=4)
    for e in range(2):
        print(e, engine.epoch(DataLoader(data, batch_size=8, shuffle=True)))
