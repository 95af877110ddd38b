import copy

import torch


class Average:
    def __init__(self, net, keep):
        self.copy = copy.deepcopy(net).eval().requires_grad_(False)
        self.keep = keep

    @torch.no_grad()
    def on_update(self, loop):
        for mean, now in zip(self.copy.parameters(), loop.net.parameters()):
            mean.lerp_(now, 1 - self.keep)

    def on_epoch_end(self, loop, value):
        print(f"epoch loss {value:.4f} updates {loop.updates}")


class StopEarly:
    def __init__(self, patience):
        self.best, self.patience, self.waited = float("inf"), patience, 0

    def on_update(self, loop):
        pass

    def on_epoch_end(self, loop, value):
        self.waited = 0 if value < self.best else self.waited + 1
        self.best = min(self.best, value)
        loop.stop = self.waited >= self.patience
