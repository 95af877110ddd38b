"""Four lessons to an update, weighed by shares that add up to one."""
import torch
from torch import nn


class Shares(nn.Module):
    def __init__(self, lessons):
        super().__init__()
        self.hardness = torch.zeros(lessons)

    def of(self, lesson):
        return torch.softmax(self.hardness, 0)[lesson]

    def note(self, lesson, value):
        self.hardness[lesson] = 0.9 * self.hardness[lesson] + 0.1 * value


def train(record):
    torch.manual_seed(101)
    net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    shares = Shares(4)
    for _ in range(30):
        opt.zero_grad()
        values = []
        for lesson in range(4):
            x = torch.randn(8, 4)
            loss = nn.functional.mse_loss(net(x), x[:, lesson:lesson + 1].exp())
            values.append(loss.item())
            loss.mul(shares.of(lesson)).backward()
        opt.step()
        record(list(net.parameters()))
        for lesson, value in enumerate(values):
            shares.note(lesson, value)


if __name__ == "__main__":
    train(lambda parameters: None)
