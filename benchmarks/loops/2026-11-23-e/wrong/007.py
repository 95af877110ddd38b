import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bn = nn.BatchNorm1d(c)
        self.lin = nn.Linear(c, c)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        return x + self.drop(F.gelu(self.lin(self.bn(x))))


def make_net():
    return nn.Sequential(nn.Linear(6, 24), ResBlock(24), ResBlock(24), nn.Linear(24, 3))


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    return (net(x).argmax(-1) == y).float().mean().item()


def run(total_steps=60, eval_every=20):
    torch.manual_seed(0)
    x = torch.randn(300, 6)
    y = x[:, :3].argmax(-1)
    x_tr, y_tr, x_te, y_te = x[:240], y[:240], x[240:], y[240:]

    net = make_net()
    net.train()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)

    for step in itertools.count(1):
        pick = torch.randint(0, 240, (32,))
        opt.zero_grad()
        loss = F.cross_entropy(net(x_tr[pick]), y_tr[pick])
        loss.backward()
        opt.step()

        if step % eval_every == 0:
            acc = accuracy(net, x_te, y_te)
            print(f"step {step:4d} loss {loss.item():.3f} test acc {acc:.3f}")
        if step >= total_steps:
            break
    return net


if __name__ == "__main__":
    run()
