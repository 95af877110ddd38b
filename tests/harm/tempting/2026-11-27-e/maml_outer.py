import torch
from torch import nn
from torch.func import functional_call

TASKS = 4
INNER_LR = 0.05


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.body(x)


def sample_task(generator):
    amplitude = 0.5 + torch.rand(1, generator=generator)
    phase = 3.0 * torch.rand(1, generator=generator)
    x = 4 * torch.rand(20, 1, generator=generator) - 2
    y = amplitude * torch.sin(x + phase)
    return (x[:10], y[:10]), (x[10:], y[10:])


def adapt(net, support):
    x, y = support
    fast = dict(net.named_parameters())
    inner = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
    grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
    return {name: p - INNER_LR * g for (name, p), g in zip(fast.items(), grads)}


def query_loss(net, fast, query):
    x, y = query
    return nn.functional.mse_loss(functional_call(net, fast, (x,)), y)


def average_gradients(module, count):
    for p in module.parameters():
        if p.grad is not None:
            p.grad.mul_(1.0 / count)


def train(record):
    torch.manual_seed(3)
    generator = torch.Generator().manual_seed(11)
    net = Regressor()
    meta = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        for _ in range(5):
            meta.zero_grad()
            losses = []
            for _ in range(TASKS):
                support, query = sample_task(generator)
                loss = query_loss(net, adapt(net, support), query)
                loss.backward()
                losses.append(loss.item())
            average_gradients(net, TASKS)
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            meta.step()
            record(list(net.parameters()))
        print(f"epoch {epoch}: query loss {sum(losses) / TASKS:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
