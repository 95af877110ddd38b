import torch
from torch import nn


class Clock:
    """Counts updates and lowers the rate at the marks."""

    def __init__(self, optimizer, marks, factor=0.3):
        self.optimizer, self.marks, self.factor = optimizer, set(marks), factor
        self.time = 0

    @property
    def step(self):
        self.time += 1
        if self.time in self.marks:
            for group in self.optimizer.param_groups:
                group["lr"] *= self.factor

    @property
    def rate(self):
        return self.optimizer.param_groups[0]["lr"]


class Autoencoder(nn.Module):
    def __init__(self, wide, slim):
        super().__init__()
        self.down, self.up = nn.Linear(wide, slim), nn.Linear(slim, wide)

    def forward(self, x):
        return self.up(torch.tanh(self.down(x)))


def train(record):
    torch.manual_seed(50)
    model = Autoencoder(10, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    clock = Clock(optimizer, marks=(4, 9))
    data = torch.randn(50, 3) @ torch.randn(3, 10)
    for epoch in range(3):
        for x in data.split(10):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), x)
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))
            clock.step
        print(epoch, loss.item(), clock.rate)


if __name__ == "__main__":
    train(lambda parameters: None)
