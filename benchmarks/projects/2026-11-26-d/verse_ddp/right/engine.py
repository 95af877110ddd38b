import math

import torch.nn.functional as F

from parallel import hold


class Engine:
    def __init__(self, model, optimizer, hooks, window):
        self.model, self.optimizer = model, optimizer
        self.hooks, self.window = hooks, window
        self.updates = 0

    def fire(self, place):
        for hook in self.hooks.get(place, ()):
            hook(self.model)

    def epoch(self, data):
        self.model.train()
        nll = 0.0
        for n, (ids, nxt) in enumerate(data, start=1):
            with hold(self.model, n, self.window, len(data)):
                loss = F.cross_entropy(self.model(ids).flatten(0, 1), nxt.flatten())
                (loss / self.window).backward()
            nll += loss.item()
            self.fire("after_backward")
            if n % self.window == 0 or n == len(data):
                self.fire("before_step")
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.updates += 1
        return math.exp(nll / len(data))
