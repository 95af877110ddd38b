"""Every optimizer of the table is driven by a closure, so that they may be exchanged."""
import torch
from torch import nn

TABLE = {
    "sgd": lambda params: torch.optim.SGD(params, lr=0.02, momentum=0.5),
    "adadelta": lambda params: torch.optim.Adadelta(params, lr=0.5),
}
LIMIT = 0.1


class Valley(nn.Module):
    """Rosenbrock's valley, seen through a small network."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, noise):
        a, b = self.net(noise).unbind(1)
        return ((1 - a) ** 2 + 10 * (b - a**2) ** 2).mean()


def descend(name, record, turns=20):
    torch.manual_seed(2)
    valley = Valley()
    optimizer = TABLE[name](valley.parameters())
    for _ in range(turns):
        noise = torch.randn(8, 2)

        def closure():
            optimizer.zero_grad()
            loss = valley(noise)
            loss.backward()
            nn.utils.clip_grad_norm_(valley.parameters(), LIMIT)
            return loss

        optimizer.step(closure)
        record(list(valley.parameters()))
    with torch.no_grad():
        return valley(torch.zeros(1, 2)).item()


def train(record):
    return {name: descend(name, record) for name in TABLE}


if __name__ == "__main__":
    train(lambda parameters: None)
