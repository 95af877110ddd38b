"""First-order MAML on sines; a probe looks at the gradient after each meta step."""
import torch
from torch import nn
from torch.func import functional_call

TASKS, INNER, RATE = 4, 2, 0.05


def sine():
    height, shift = 1 + 2 * torch.rand(1), 3 * torch.rand(1)

    def draw(n):
        x = 6 * torch.rand(n, 1) - 3
        return x, height * torch.sin(x + shift)

    return draw


def adapt(net, draw):
    fast = dict(net.named_parameters())
    for _ in range(INNER):
        x, y = draw(10)
        loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()))
        fast = {name: w - RATE * g for (name, w), g in zip(fast.items(), grads)}
    return fast


def train(record):
    torch.manual_seed(198)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
    meta = torch.optim.SGD(net.parameters(), lr=0.05)
    sharpness = []
    for _ in range(20):
        for draw in [sine() for _ in range(TASKS)]:
            meta.zero_grad()
            fast = adapt(net, draw)
            x, y = draw(10)
            loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
            (loss / TASKS).backward()
        meta.step()
        record(list(net.parameters()))
        x, y = sine()(40)
        nn.functional.mse_loss(net(x), y).backward()
        sharpness.append(sum(p.grad.square().sum().item() for p in net.parameters()))
    return sharpness


if __name__ == "__main__":
    train(lambda parameters: None)
