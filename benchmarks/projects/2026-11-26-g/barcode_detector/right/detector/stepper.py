from torch.nn.utils import clip_grad_norm_


class Stepper:
    """Called after every backward; clips, steps and zeroes when a window is full."""

    def __init__(self, optimizer, weights, every, limit):
        self.optimizer, self.weights = optimizer, weights
        self.every, self.limit = every, limit
        self.updates = 0
        self.rewind()

    def rewind(self):
        self.turn = 1

    def __call__(self):
        self.turn += 1
        if self.turn <= self.every:
            return
        self.apply()

    def apply(self):
        self.optimizer.reveal()
        clip_grad_norm_(self.weights, self.limit)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates += 1
        self.rewind()

    def close(self):
        if self.turn > 1:
            self.apply()
