"""First-order meta learning; tasks are judged after three gradient steps on their support set."""
import torch
from torch import nn
from torch.func import functional_call

INNER_RATE = 0.05


def sinus_task(generator):
    amplitude = 1 + 3 * torch.rand(1, generator=generator)
    phase = 3 * torch.rand(1, generator=generator)

    def draw(n):
        x = 10 * torch.rand(n, 1, generator=generator) - 5
        return x, amplitude * torch.sin(x + phase)

    return draw(8), draw(16)


def adapt(net, support, steps):
    fast = dict(net.named_parameters())
    x, y = support
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()))
        fast = {name: p - INNER_RATE * g for (name, p), g in zip(fast.items(), grads)}
    return fast


def judge(net, tasks):
    net.eval()
    errors = []
    for support, query in tasks:
        fast = adapt(net, support, steps=3)
        out = functional_call(net, fast, (query[0],))
        errors.append(nn.functional.mse_loss(out, query[1]).item())
    net.train()
    return sum(errors) / len(errors)


def train(record):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Dropout(0.05), nn.Linear(20, 1))
    meta = torch.optim.Adam(net.parameters(), lr=2e-3)
    generator = torch.Generator().manual_seed(10)
    held_out = [sinus_task(generator) for _ in range(4)]
    for it in range(12):
        meta.zero_grad()
        for _ in range(3):
            support, query = sinus_task(generator)
            fast = adapt(net, support, steps=1)
            outer = nn.functional.mse_loss(functional_call(net, fast, (query[0],)), query[1])
            (outer / 3).backward()
        meta.step()
        record(list(net.parameters()))
        if it % 4 == 3:
            print(it, judge(net, held_out))


if __name__ == "__main__":
    train(lambda parameters: None)
