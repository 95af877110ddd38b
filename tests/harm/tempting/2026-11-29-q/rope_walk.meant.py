"""Actions in a tuple are run in order; the gradient norm decides the next weight decay."""
import torch
from torch import nn


def run(*actions):
    for action in actions:
        action()


def train(record):
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(4, 7), nn.SiLU(), nn.Linear(7, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.01)

    def measure():
        norm = sum(p.grad.pow(2).sum().item() for p in net.parameters() if p.grad is not None) ** 0.5
        opt.param_groups[0]["weight_decay"] = 0.02 * min(norm, 1.0)

    for _ in range(40):
        x = torch.randn(9, 4)
        loss = nn.functional.mse_loss(net(x), x.abs().sum(1, keepdim=True))
        loss.backward()
        run(measure)
        opt.step()
        record(list(net.parameters()))
        opt.zero_grad()
        del loss


if __name__ == "__main__":
    train(lambda parameters: None)
