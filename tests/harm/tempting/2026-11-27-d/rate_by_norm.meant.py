import torch
from torch import nn
from torch.nn import functional as F


class Learner:
    def __init__(self, net, base_rate, record):
        self.net, self.base_rate, self.record = net, base_rate, record
        self.opt = torch.optim.SGD(net.parameters(), lr=base_rate)
        self.sizes = []

    def gradient_size(self):
        return torch.stack([p.grad.norm() for p in self.net.parameters()]).norm().item()

    def learn(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.sizes.append(self.gradient_size())
        for group in self.opt.param_groups:
            group["lr"] = self.base_rate / (1.0 + self.sizes[-1])
        self.opt.zero_grad(set_to_none=False)
        return loss.item()


def train(record):
    torch.manual_seed(30)
    xs = torch.randn(8, 16, 4)
    net = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1))
    learner = Learner(net, 0.2, record)
    for epoch in range(3):
        for x in xs:
            learner.learn(x, (x[:, :1] - x[:, 1:2]).abs())
    return learner.sizes


if __name__ == "__main__":
    train(lambda parameters: None)
