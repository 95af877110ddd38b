import math

import torch
from torch import nn
from torch.func import functional_call


class SineTask:
    def __init__(self):
        self.amplitude = 0.5 + 2 * torch.rand(())
        self.phase = math.pi * torch.rand(())

    def sample(self, k):
        x = 10 * torch.rand(k, 1) - 5
        return x, self.amplitude * torch.sin(x + self.phase)


class Reptile:
    def __init__(self, net, inner_lr=0.02, inner_steps=4):
        self.net = net
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.outer = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)

    def adapt(self, task):
        fast = {k: v.detach().clone().requires_grad_() for k, v in self.net.named_parameters()}
        for _ in range(self.inner_steps):
            x, y = task.sample(10)
            loss = nn.functional.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()))
            fast = {
                k: (v - self.inner_lr * g).detach().requires_grad_()
                for (k, v), g in zip(fast.items(), grads)
            }
        return fast

    def meta_step(self, tasks):
        finished = [self.adapt(task) for task in tasks]
        for name, p in self.net.named_parameters():
            away = torch.stack([p.detach() - fast[name].detach() for fast in finished])
            p.grad = away.mean(0)
        self.outer.step()


def train(record):
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    learner = Reptile(net)
    for _ in range(3):
        for _ in range(5):
            learner.meta_step([SineTask() for _ in range(3)])
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
