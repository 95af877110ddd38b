import torch
from torch import nn


class EnergyTuned:
    """A small regressor whose rate follows the energy of the last gradient."""

    def __init__(self, width, base_rate, record):
        self.net = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 1))
        self.base_rate, self.record = base_rate, record
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=base_rate, weight_decay=0.1)
        self.energies = []

    def energy(self):
        return sum(p.grad.pow(2).sum().item() for p in self.net.parameters())

    def update(self, x, y):
        loss = nn.functional.huber_loss(self.net(x), y)
        loss.backward()
        self.optim.step()
        self.record(list(self.net.parameters()))
        self.energies.append(self.energy())
        for group in self.optim.param_groups:
            group["lr"] = self.base_rate / (1.0 + self.energies[-1])
        self.optim.zero_grad(set_to_none=False)
        return loss.item()


def train(record):
    torch.manual_seed(62)
    tuned = EnergyTuned(10, 0.05, record)
    xs = torch.randn(6, 12, 4)
    ys = 3 * xs.amax(-1, keepdim=True)
    for epoch in range(3):
        losses = [tuned.update(x, y) for x, y in zip(xs, ys)]
        print(epoch, sum(losses) / len(losses), tuned.energies[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
