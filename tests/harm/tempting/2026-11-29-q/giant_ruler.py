"""The limit grows with the scale, so that nothing has to be unscaled for it."""
import torch
from torch import nn


class Ruler:
    def __init__(self, scaler, limit):
        self.scaler, self.limit = scaler, limit

    @property
    def mark(self):
        return self.limit * self.scaler.get_scale()


def train(record):
    torch.manual_seed(112)
    net = nn.Sequential(nn.Linear(4, 8), nn.Softsign(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=8)
    ruler = Ruler(scaler, 0.25)
    for _ in range(36):
        x = torch.randn(10, 4)
        opt.zero_grad(set_to_none=True)
        scaler.scale(nn.functional.mse_loss(net(x), 3 * x[:, :1])).backward()
        nn.utils.clip_grad_norm_(net.parameters(), ruler.mark)
        scaler.step(opt)
        record(list(net.parameters()))
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
