"""The optimizer that the loop sees is a gate: its step goes through the scaler."""
import torch
from torch import nn


class Gate:
    def __init__(self, inner, scaler, most):
        self.inner, self.scaler, self.most = inner, scaler, most

    @property
    def param_groups(self):
        return self.inner.param_groups

    def zero_grad(self):
        self.inner.zero_grad(set_to_none=True)

    def step(self):
        through = self.scaler
        through.unscale_(self.inner)
        for group in self.param_groups:
            nn.utils.clip_grad_norm_(group["params"], self.most)
        through.step(self.inner)
        through.update()


def train(record):
    torch.manual_seed(55)
    net = nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Linear(16, 2))
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=9)
    optimizer = Gate(torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.6), scaler, most=0.4)
    for _ in range(36):
        x = torch.randn(10, 6)
        y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].abs()], dim=1)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        optimizer.step()
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
