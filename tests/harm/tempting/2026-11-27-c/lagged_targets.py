import torch
from torch import nn
from torch.nn import functional as F


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 12))

    def forward(self, x):
        return self.seq(x)


class Runner:
    def __init__(self, record):
        self.net = Denoiser()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2)
        self.record = record
        self.lagged = None

    def step(self, clean, noisy):
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = self.net(noisy)
            loss = F.mse_loss(out.float(), clean)
            if self.lagged is not None:
                loss = loss + 0.5 * F.mse_loss(out.float(), self.lagged)
            loss.backward()
            self.opt.step()
            self.record(list(self.net.parameters()))
            with torch.no_grad():
                self.lagged = self.net(clean).float()
        return loss.item()


def train(record):
    torch.manual_seed(14)
    runner = Runner(record)
    clean = torch.randn(18, 12).cumsum(1) / 3
    for epoch in range(2):
        for _ in range(6):
            runner.step(clean, clean + 0.2 * torch.randn_like(clean))


if __name__ == "__main__":
    train(lambda parameters: None)
