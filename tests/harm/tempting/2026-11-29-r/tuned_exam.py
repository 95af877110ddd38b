"""An exam between the epochs counts what is right, and tunes the temperature on the way."""
import torch
from torch import nn
from torch.nn.functional import cross_entropy


def questions(count, rows=12):
    for _ in range(count):
        x = torch.randn(rows, 4)
        yield x, (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 1).long()


class Tuner:
    def __init__(self):
        self.warmth = nn.Parameter(torch.tensor(0.5))
        self.optimizer = torch.optim.SGD([self.warmth], lr=0.1)

    def fit(self, logits, labels):
        self.optimizer.zero_grad()
        cross_entropy(logits.detach() * self.warmth.exp(), labels).backward()
        self.optimizer.step()


def examine(net, tuner, held, record):
    net.eval()
    right = 0
    for x, labels in held:
        logits = net(x)
        right += (logits.argmax(1) == labels).sum().item()
        tuner.fit(logits, labels)
        record([*net.parameters(), tuner.warmth])
    net.train()
    return right


def train(record):
    torch.manual_seed(84)
    net = nn.Sequential(nn.Linear(4, 20), nn.ReLU(), nn.Dropout(0.2), nn.Linear(20, 3))
    tuner, held = Tuner(), list(questions(3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.6)
    best = 0
    for _ in range(6):
        for x, labels in questions(6):
            optimizer.zero_grad()
            cross_entropy(net(x) * tuner.warmth.detach().exp(), labels).backward()
            optimizer.step()
            record([*net.parameters(), tuner.warmth])
        best = max(best, examine(net, tuner, held, record))

if __name__ == "__main__":
    train(lambda parameters: None)
