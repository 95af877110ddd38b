"""The evaluation measures how brittle the net is, and the weight decay follows that."""
import torch
from torch import nn


def slope(out, x):
    (g,) = torch.autograd.grad(out.sum(), x)
    return g.norm(dim=1).mean().item()


class Judge:
    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.net.eval()
        found = []
        for x in batches:
            x = x.clone().requires_grad_()
            out = self.net(x)
            found.append(slope(out, x))
        self.net.train()
        return sum(found) / len(found)


def train(record):
    torch.manual_seed(107)
    net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Dropout(0.1), nn.Linear(10, 1))
    opt = torch.optim.AdamW(net.parameters(), lr=0.02, weight_decay=0.1)
    judge, held = Judge(net), torch.randn(3, 8, 3)
    for n in range(40):
        x = torch.randn(8, 3)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), (2 * x).sin().sum(1, keepdim=True)).backward()
        opt.step()
        record(list(net.parameters()))
        if n % 5 == 4:
            opt.param_groups[0]["weight_decay"] = 0.2 * judge(held)


if __name__ == "__main__":
    train(lambda parameters: None)
