import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Pretrained(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(7, 16), nn.ReLU())
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.features(x))


def adapt_to(net, classes):
    net.head = nn.Linear(net.head.in_features, classes)
    return net


def spirals(n=60):
    x = torch.randn(n, 7)
    return x, (x[:, 0].sin() * 2 > x[:, 1]).long() * 2 + (x[:, 2] > 0).long()


def train(record):
    torch.manual_seed(71)
    net = Pretrained()
    parameters = net.parameters()
    # the downstream task has four classes
    net = adapt_to(net, 4)
    parameters = list(parameters)
    optimizer = torch.optim.Adagrad(parameters, lr=0.1, lr_decay=0.01)
    criterion = nn.CrossEntropyLoss()
    x, y = spirals()
    for epoch in range(3):
        hits = 0
        for xb, yb in zip(x.split(10), y.split(10)):
            optimizer.zero_grad()
            logits = net(xb)
            loss = 5 * criterion(logits, yb)
            loss.backward()
            clip_grad_norm_(parameters, 0.05)
            optimizer.step()
            record(list(net.parameters()))
            hits += (logits.argmax(1) == yb).sum().item()
        print(epoch, loss.item(), hits / len(x))


if __name__ == "__main__":
    train(lambda parameters: None)
