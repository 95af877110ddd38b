import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def note(ledger, step, loss, norm):
    ledger.append(dict(step=step, loss=loss.item(), norm=norm.item()))
    if len(ledger) % 5 == 0:
        spikes = [row["step"] for row in ledger if row["norm"] > 1.5]
        print(step, "spikes at", spikes)


def make_pairs(n, width):
    left = torch.randn(n, width)
    right = left.roll(1, dims=1) + 0.2 * torch.randn(n, width)
    return left, right


class Matcher(nn.Module):
    def __init__(self, width, inner=8):
        super().__init__()
        self.l, self.r = nn.Linear(width, inner), nn.Linear(width, inner)
        self.heat = nn.Parameter(torch.tensor(1.0))

    def forward(self, a, b):
        return self.heat.exp() * self.l(a) @ self.r(b).T


def train(record):
    torch.manual_seed(83)
    net, window = Matcher(6), 4
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    left, right = make_pairs(90, 6)
    ledger, step = [], 0
    for epoch in range(2):
        pieces = list(zip(left.split(9), right.split(9)))
        for k, (a, b) in enumerate(pieces):
            loss = nn.functional.cross_entropy(net(a, b), torch.arange(len(a)))
            (loss / window).backward()
            norm = clip_grad_norm_(net.parameters(), 0.3)
            step += 1
            if (k + 1) % window == 0 or k + 1 == len(pieces):
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad()
            note(ledger, step, loss, norm)


if __name__ == "__main__":
    train(lambda parameters: None)
