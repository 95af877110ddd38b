import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon=3):
        self.rnn = nn.GRU(1, 20, batch_first=True)
        self.proj = nn.Linear(20, horizon)
        self.model = nn.ModuleList([self.rnn, self.proj])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.horizon = horizon

    def compute_loss(self, window):
        past, future = window[:, : -self.horizon], window[:, -self.horizon :]
        _, h = self.rnn(past.unsqueeze(-1))
        return nn.functional.mse_loss(self.proj(h[-1]), future)

    def train_epoch(self, windows):
        self.model.train()
        for w in windows:
            loss = self.compute_loss(w)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()

    def validate(self, windows):
        self.model.eval()
        return sum(self.compute_loss(w).item() for w in windows) / len(windows)


torch.manual_seed(23)
series = torch.sin(torch.arange(0, 120, 0.3)) + 0.05 * torch.randn(400)
windows = series.unfold(0, 15, 2)
batches = list(windows[torch.randperm(len(windows))].split(24))
f = Forecaster()
for epoch in range(4):
    f.train_epoch(batches[:-2])
    print(epoch, f.validate(batches[-2:]))
