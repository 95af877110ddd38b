import torch
from torch import nn


class Half:
    def __init__(self, record):
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**13)
        self.record = record
        self.lost = 0

    def finite(self):
        return all(torch.isfinite(p.grad).all() for p in self.net.parameters())

    def apply(self):
        if not self.finite():
            self.lost += 1
            self.scaler.unscale_(self.opt)
            self.scaler.update()
            self.opt.zero_grad()
            return False
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        self.record(list(self.net.parameters()))
        return True

    def batch(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            out = self.net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        self.scaler.scale(loss).backward()
        return loss.item(), self.apply()


def train(record):
    torch.manual_seed(71)
    half = Half(record)
    for epoch in range(2):
        losses = []
        for step in range(8):
            x = torch.randn(16, 4)
            y = (4 * step + 1) * x[:, :1]
            loss, _ = half.batch(x, y)
            losses.append(loss)
        print(epoch, round(losses[-1], 3), "lost", half.lost, "scale", half.scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
