"""Full-batch LBFGS whose batch does not fit at once: the closure adds up chunks."""
import torch
from torch import nn


class Curve(nn.Module):
    def __init__(self, terms=4):
        super().__init__()
        self.amplitude = nn.Parameter(torch.randn(terms))
        self.speed = nn.Parameter(torch.linspace(0.5, 2.0, terms))
        self.phase = nn.Parameter(torch.zeros(terms))

    def forward(self, t):
        return (self.amplitude * torch.sin(self.speed * t[:, None] + self.phase)).sum(1)


class Fitter:
    def __init__(self, curve, t, target, chunks, record):
        self.curve, self.record = curve, record
        self.parts = list(zip(t.chunk(chunks), target.chunk(chunks)))
        self.total = t.numel()

    def run(self, rounds):
        solver = torch.optim.LBFGS(self.curve.parameters(), lr=0.5, max_iter=4, history_size=5)

        def closure():
            solver.zero_grad()
            value = torch.zeros(())
            for t, target in self.parts:
                part = (self.curve(t) - target).square().sum() / self.total
                part.backward()
                value += part.detach()
            return value

        for _ in range(rounds):
            solver.step(closure)
            self.record(list(self.curve.parameters()))


def train(record):
    torch.manual_seed(6)
    t = torch.linspace(-3, 3, 50)
    target = torch.tanh(2 * t) + 0.3 * torch.cos(3 * t)
    Fitter(Curve(), t, target, chunks=4, record=record).run(rounds=8)


if __name__ == "__main__":
    train(lambda parameters: None)
