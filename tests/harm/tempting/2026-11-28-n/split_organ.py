"""Split training: the console keeps its half, the wind chest gets a gradient at the cut."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


class Console:
    def __init__(self):
        self.net = nn.Linear(8, 3)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.3)

    def answer(self, message, stop):
        cut = message.detach().requires_grad_()
        self.optimizer.zero_grad()
        F.cross_entropy(self.net(cut), stop).backward()
        clip_grad_norm_(self.net.parameters(), 0.2)
        return cut.grad

    def close(self):
        self.optimizer.step()


class WindChest:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)

    def learn(self, message, gradient):
        self.optimizer.zero_grad()
        message.backward(gradient)
        self.optimizer.step()


def train(record):
    torch.manual_seed(13)
    chest, console = WindChest(), Console()
    for _ in range(22):
        air = torch.randn(10, 4)
        message = chest.net(air)
        gradient = console.answer(message, air[:, :3].argmax(1))
        chest.learn(message, gradient)
        console.close()
        record([*chest.net.parameters(), *console.net.parameters()])


if __name__ == "__main__":
    train(lambda parameters: None)
