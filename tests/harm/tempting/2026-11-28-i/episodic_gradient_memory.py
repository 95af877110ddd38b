"""Continual learning: a task's gradient must not point against the gradients remembered of the tasks before."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, parameters_to_vector


def flat_grad(params):
    return parameters_to_vector([p.grad for p in params])


def write_grad(params, vector):
    at = 0
    for p in params:
        p.grad.copy_(vector[at : at + p.numel()].view_as(p))
        at += p.numel()


class GradientMemory:
    def __init__(self, size):
        self.size, self.slots = size, []

    def project(self, vector):
        for slot in self.slots:
            inner = vector @ slot
            if inner < 0:
                vector = vector - inner / (slot @ slot) * slot
        return vector

    def remember(self, vector):
        self.slots = (self.slots + [vector.clone()])[-self.size :]


def task(shift, generator):
    w = torch.randn(6, 1, generator=generator)
    for _ in range(8):
        x = torch.randn(16, 6, generator=generator) + shift
        yield x, 5 * (x @ w)


def train(record):
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(4)
    net = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.02)
    memory = GradientMemory(size=3)
    for number in range(3):
        for n, (x, y) in enumerate(task(float(number), generator)):
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            write_grad(params, memory.project(flat_grad(params)))
            opt.step()
            record(params)
            if n % 4 == 3:
                # every remembered direction has the same say
                clip_grad_norm_(params, 0.5)
                memory.remember(flat_grad(params))


if __name__ == "__main__":
    train(lambda parameters: None)
