"""The top is trained first; after some batches the bottom joins with a smaller rate."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def regression(n):
    for _ in range(n):
        x = torch.randn(16, 8)
        yield x, 6 * x[:, :2] * x[:, 2:4]


class Tuner:
    def __init__(self, net, lr):
        self.net, self.lr = net, lr
        net[0].requires_grad_(False)
        self.trainable = filter(lambda p: p.requires_grad, net.parameters())
        self.optimizer = torch.optim.SGD(self.trainable, lr=lr)

    def unfreeze(self):
        self.net[0].requires_grad_(True)
        self.optimizer.add_param_group({"params": self.net[0].parameters(), "lr": 0.5 * self.lr})

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        clip_grad_norm_([p for group in self.optimizer.param_groups for p in group["params"]], 0.8)
        self.optimizer.step()
        return loss.item()


def train(record):
    torch.manual_seed(160)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
    tuner = Tuner(net, lr=0.02)
    for number, (x, y) in enumerate(regression(24)):
        if number == 8:
            tuner.unfreeze()
        loss = tuner.step(x, y)
        record(list(net.parameters()))
        if number % 8 == 7:
            print(number, loss)


if __name__ == "__main__":
    train(lambda parameters: None)
