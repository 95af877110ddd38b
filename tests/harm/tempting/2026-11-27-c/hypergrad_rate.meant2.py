import torch
from torch import nn


def gradient(net):
    parts = [p.grad.flatten() for p in net.parameters() if p.grad is not None]
    return torch.cat(parts) if parts else None


class HyperDescent:
    def __init__(self, net, lr=0.05, hyper=0.02):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.hyper = hyper
        self.previous = None

    def adapt(self):
        now = gradient(self.net)
        if now is not None and self.previous is not None:
            cosine = torch.dot(now, self.previous) / (now.norm() * self.previous.norm() + 1e-8)
            for group in self.opt.param_groups:
                group["lr"] *= 1 + self.hyper * cosine.item()
        self.previous = now

    def update(self, loss, record):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        record(list(self.net.parameters()))
        self.adapt()
        return self.opt.param_groups[0]["lr"]


def train(record):
    torch.manual_seed(88)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
    learner, rates = HyperDescent(net), []
    data = [(torch.randn(16, 4), torch.randint(0, 2, (16,))) for _ in range(8)]
    for epoch in range(3):
        for x, y in data:
            rates.append(learner.update(nn.functional.cross_entropy(net(x), y), record))


if __name__ == "__main__":
    train(lambda parameters: None)
