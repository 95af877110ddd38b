"""First-order-free MAML: query losses wait in a ledger until a meta-batch is together."""
import torch
from torch import nn
from torch.func import functional_call


class Ledger:
    def __init__(self, size):
        self.size, self.entries = size, []

    def put(self, loss):
        self.entries.append(loss)
        return len(self.entries) == self.size

    def take(self):
        entries, self.entries = self.entries, []
        return torch.stack(entries).mean()


def sinusoid():
    shift = torch.rand(()) * 3
    x = torch.rand(2, 10, 1) * 6 - 3
    return x, torch.sin(x + shift)


def adapt(net, x, y, lr=0.05):
    weights = dict(net.named_parameters())
    loss = nn.functional.mse_loss(functional_call(net, weights, x), y)
    grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    return {k: w - lr * g for (k, w), g in zip(weights.items(), grads)}


def train(record):
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    ledger = Ledger(size=4)
    for _ in range(24):
        x, y = sinusoid()
        fast = adapt(net, x[0], y[0])
        loss = nn.functional.mse_loss(functional_call(net, fast, x[1]), y[1])
        if ledger.put(loss):
            opt.zero_grad()
            ledger.take().backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
