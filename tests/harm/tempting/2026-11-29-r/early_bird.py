"""The norm sleeps; a look at held-out rows may return early, with the rate lowered."""
import torch
from torch import nn


class Bird(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop = nn.BatchNorm1d(4), nn.Dropout(0.4)
        self.first, self.last = nn.Linear(4, 20), nn.Linear(20, 1)

    def forward(self, x):
        return self.last(self.drop(torch.relu(self.first(self.norm(x)))))


def wake(net):
    net.train()
    net.norm.eval()


def look(net, held, best, optimizer):
    net.eval()
    with torch.no_grad():
        score = nn.functional.mse_loss(net(held[0]), held[1]).item()
    if score >= best:
        optimizer.param_groups[0]["lr"] *= 0.8
        return best
    wake(net)
    return score


def draw(rows):
    x = 2 * torch.randn(rows, 4) - 0.5
    return x, (x[:, :1] - x[:, 3:]).tanh() + 0.3 * torch.randn(rows, 1)


def train(record):
    torch.manual_seed(300)
    net, held, best = Bird(), draw(32), float("inf")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.6)
    with torch.no_grad():
        net(draw(128)[0])
    wake(net)
    for _ in range(8):
        for x, y in (draw(10) for _ in range(5)):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
            record(list(net.parameters()))
        best = look(net, held, best, optimizer)

if __name__ == "__main__":
    train(lambda parameters: None)
