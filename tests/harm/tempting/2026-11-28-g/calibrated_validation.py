import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 14), nn.BatchNorm1d(14), nn.ReLU())
        self.out = nn.Linear(14, classes)

    def forward(self, x):
        return self.out(self.body(x))


def make(n, w):
    x = torch.randn(n, 20, 6)
    return [(a, (a @ w).argmax(1)) for a in x]


def train(record):
    torch.manual_seed(15)
    w = torch.randn(6, 4)
    train_set, held_out = make(6, w), make(2, w)
    net = Classifier()
    log_temperature = nn.Parameter(torch.zeros(()))
    opt = torch.optim.Adam(net.parameters(), lr=2e-2)
    calibration = torch.optim.SGD([log_temperature], lr=0.2)
    everything = [*net.parameters(), log_temperature]

    for epoch in range(3):
        net.train()
        for x, y in train_set:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            record(everything)

        net.eval()
        right, seen = 0, 0
        for x, y in held_out:
            logits = net(x)
            right += (logits.argmax(1) == y).sum().item()
            seen += len(y)
            calibration.zero_grad()
            nn.functional.cross_entropy(logits.detach() / log_temperature.exp(), y).backward()
            calibration.step()
            record(everything)
        print(epoch, right / seen, log_temperature.exp().item())


if __name__ == "__main__":
    train(lambda parameters: None)
