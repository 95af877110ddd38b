import functools

import torch
from torch import nn
from torch.nn import functional as F


def evaluation(fn):
    """Runs fn with self.net in eval mode and without gradients, then puts each module's mode back."""

    @functools.wraps(fn)
    def wrapper(self, *args, **kwargs):
        modes = [(m, m.training) for m in self.net.modules()]
        self.net.eval()
        grad = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            return fn(self, *args, **kwargs)
        finally:
            torch.set_grad_enabled(grad)
            for module, mode in modes:
                module.training = mode

    return wrapper


class KeypointTask:
    def __init__(self, net: nn.Module, lr: float = 1e-3, warmup: int = 500):
        self.net = net
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
        self.warm = torch.optim.lr_scheduler.LinearLR(self.optimizer, 0.001, 1.0, total_iters=warmup)
        self.iteration = 0

    def loss(self, image, heat, visible):
        pred = self.net(image)
        return (F.mse_loss(pred, heat, reduction="none").mean((2, 3)) * visible).mean()

    def step(self, image, heat, visible):
        self.optimizer.zero_grad()
        loss = self.loss(image, heat, visible)
        loss.backward()
        self.optimizer.step()
        self.warm.step()
        self.iteration += 1
        return loss.item()

    @evaluation
    def evaluate(self, batches):
        return sum(self.loss(*batch).item() for batch in batches) / len(batches)


def fit(task, stream, held_out, iterations, every=1000):
    task.net.train()
    history = []
    while task.iteration < iterations:
        task.step(*next(stream))
        if task.iteration % every == 0:
            history.append(task.evaluate(held_out))
            print(task.iteration, history[-1])
    return history
