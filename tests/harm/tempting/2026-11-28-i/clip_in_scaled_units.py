"""Mixed precision with a limit that is told in the units of the scaled gradients."""
import torch
from torch import nn


class HalfPrecision:
    def __init__(self, net, lr, limit):
        self.net, self.limit = net, limit
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=7)

    def loss(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        return nn.functional.mse_loss(out.float(), y)

    def limit_gradients(self):
        scale = self.scaler.get_scale()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.limit * scale)
        return norm / scale

    def update(self, x, y):
        self.opt.zero_grad()
        self.scaler.scale(self.loss(x, y)).backward()
        norm = self.limit_gradients()
        self.scaler.step(self.opt)
        self.scaler.update()
        return norm


def train(record):
    torch.manual_seed(23)
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    trainer = HalfPrecision(net, lr=0.05, limit=0.6)
    norms = []
    for _ in range(20):
        x = torch.randn(12, 4)
        y = torch.stack([x[:, 0] * 3, x[:, 1:].sum(1)], 1)
        norms.append(float(trainer.update(x, y)))
        record(list(net.parameters()))
    print(max(norms))


if __name__ == "__main__":
    train(lambda parameters: None)
