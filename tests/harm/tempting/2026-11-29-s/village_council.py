"""Seven villages send a slope each; none may speak louder than the others before they are averaged."""
import torch
from torch import nn

VOICE = 0.3


def villages():
    for number in range(7):
        x = torch.randn(8 + 3 * number, 3) + 0.3 * number
        yield x, (x @ torch.tensor([[1.0], [-0.5], [0.2 * number]])).tanh()


def hear(net, params, village):
    net.zero_grad()
    x, y = village
    nn.functional.mse_loss(net(x), y).backward()
    nn.utils.clip_grad_norm_(params, VOICE)
    return [p.grad.clone() for p in params]


def train(record):
    torch.manual_seed(64)
    council = list(villages())
    net = nn.Sequential(nn.Linear(3, 8), nn.Sigmoid(), nn.Linear(8, 1))
    params = list(net.parameters())
    server = torch.optim.SGD(params, lr=0.7, momentum=0.4)
    for meeting in range(25):
        minutes = [torch.zeros_like(p) for p in params]
        for village in council:
            torch._foreach_add_(minutes, hear(net, params, village))
        for p, total in zip(params, minutes):
            p.grad = total / len(council)
        server.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
