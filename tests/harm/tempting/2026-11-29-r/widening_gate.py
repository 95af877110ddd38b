"""Windows of two, three and four batches; a batch that is learned well enough ends the training."""
import torch
from torch import nn

GOOD, BATCHES, EPOCHS = 0.12, 12, 9


def gate(epoch):
    return 2 + epoch // 3


def batches():
    for _ in range(BATCHES):
        x = torch.randn(24, 3)
        yield x, (x[:, :1] * 1.5).sin() * x[:, 1:2]


def train(record):
    torch.manual_seed(2020)
    net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.06, momentum=0.8)
    for epoch in range(EPOCHS):
        window = gate(epoch)
        for number, (x, y) in enumerate(batches(), start=1):
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            if number % window:
                continue
            # the penalty belongs to the update, once
            (1e-3 * sum(p.square().sum() for p in net.parameters())).backward()
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()
            if loss.item() < GOOD:
                return

if __name__ == "__main__":
    train(lambda parameters: None)
