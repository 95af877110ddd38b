import torch
from torch import nn


class Trainer:
    def __init__(self, net, every):
        self.net, self.every = net, every
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.best, self.stale = 0.0, 0

    @torch.no_grad()
    def check(self, x, y):
        self.net.eval()
        score = (self.net(x).argmax(1) == y).float().mean().item()
        if score > self.best:
            self.best, self.stale = score, 0
            return score
        self.stale += 1
        if self.stale % 2 == 0:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.5
        return score

    def fit(self, batches, held_out, epochs, record):
        step, scores = 0, []
        for _ in range(epochs):
            for x, y in batches:
                self.net.train()
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.net(x), y).backward()
                self.optimizer.step()
                record(list(self.net.parameters()))
                step += 1
                if step % self.every == 0:
                    scores.append(self.check(*held_out))
        return scores


def train(record):
    torch.manual_seed(651)
    x = torch.randn(120, 6)
    y = (x[:, 0] * x[:, 1] > 0).long()
    net = nn.Sequential(
        nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 2)
    )
    batches = list(zip(x[:90].split(9), y[:90].split(9)))
    print(Trainer(net, every=4).fit(batches, (x[90:], y[90:]), 3, record))


if __name__ == "__main__":
    train(lambda parameters: None)
