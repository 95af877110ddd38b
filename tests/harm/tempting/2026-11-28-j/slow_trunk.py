"""Fast head, slow trunk: the head moves with each batch, the trunk with the mean of five."""
import torch
from torch import nn

SLOW = 5


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 16), nn.Tanh())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.trunk(x))


def polar(x):
    return torch.stack([x[:, 0].hypot(x[:, 1]), torch.atan2(x[:, 1], x[:, 0])], 1)


def train(record):
    torch.manual_seed(61)
    net = Regressor()
    fast = torch.optim.SGD(net.head.parameters(), lr=0.05)
    slow = torch.optim.SGD(net.trunk.parameters(), lr=0.1)
    running = None
    for count in range(1, 41):
        x = torch.randn(12, 5)
        loss = nn.functional.mse_loss(net(x), polar(x))
        fast.zero_grad()
        loss.backward()
        fast.step()
        record(list(net.head.parameters()))
        running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
        if count % SLOW == 0:
            slow.step()
            record(list(net.trunk.parameters()))
            slow.zero_grad()
    return running


if __name__ == "__main__":
    train(lambda parameters: None)
