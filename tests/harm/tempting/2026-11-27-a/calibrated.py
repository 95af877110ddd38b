import torch
from torch import nn


class Calibrated:
    def __init__(self, net):
        self.net = net
        self.heat = nn.Parameter(torch.zeros(()))
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-2)
        self.heat_opt = torch.optim.SGD([self.heat], lr=0.5)

    def everything(self):
        return [*self.net.parameters(), self.heat]

    def fit(self, batches, record):
        self.net.train()
        for x, y in batches:
            self.opt.zero_grad()
            nn.functional.cross_entropy(self.net(x), y).backward()
            self.opt.step()
            record(self.everything())

    def validate(self, batches, record):
        self.net.eval()
        right = 0
        for x, y in batches:
            logits = self.net(x)
            right += (logits.argmax(1) == y).sum().item()
            cooled = logits.detach() * self.heat.exp()
            self.heat_opt.zero_grad()
            nn.functional.cross_entropy(cooled, y).backward()
            self.heat_opt.step()
            record(self.everything())
        return right


def train(record):
    torch.manual_seed(213)
    means = torch.randn(3, 4)
    labels = [torch.randint(0, 3, (12,)) for _ in range(8)]
    data = [(means[y] + torch.randn(12, 4), y) for y in labels]
    model = Calibrated(nn.Sequential(nn.Linear(4, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 3)))
    for epoch in range(3):
        model.fit(data[:6], record)
        model.validate(data[6:], record)


if __name__ == "__main__":
    train(lambda parameters: None)
