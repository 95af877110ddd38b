import torch
from torch import nn


class Monitor:
    """Lowers the rate when updates get large beside the weights."""

    def __init__(self, net, optimizer, most):
        self.net, self.optimizer, self.most = net, optimizer, most
        self.ratios = []

    def ratio(self):
        return max(
            (p.grad.norm() / (p.detach().norm() + 1e-3)).item() for p in self.net.parameters()
        )

    def look(self):
        self.ratios.append(self.ratio())
        if self.ratios[-1] > self.most:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.9


def loss_of(net, batch):
    x, y = batch
    return nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)


def train(record):
    torch.manual_seed(44)
    net = nn.Sequential(nn.Linear(5, 11), nn.Tanh(), nn.Linear(11, 1))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=0.01)
    monitor = Monitor(net, optimizer, most=0.6)
    x = torch.randn(60, 5)
    y = (x[:, 0] > x[:, 1]).float()
    batches = list(zip(x.split(12), y.split(12)))
    for epoch in range(3):
        running = 0.0
        for batch in batches:
            optimizer.zero_grad()
            loss = loss_of(net, batch)
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
            monitor.look()
            running += loss.item()
        print(epoch, running / len(batches), monitor.ratios[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
