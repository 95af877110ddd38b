from torch.nn.utils import clip_grad_norm_


class Limiter:
    """Backward and step of one optimizer under a limit for the norm."""

    def __init__(self, optimizer, max_norm):
        self.optimizer, self.max_norm = optimizer, max_norm
        self.updates = 0

    @property
    def weights(self):
        return [p for group in self.optimizer.param_groups for p in group["params"]]

    def push(self, loss):
        loss.backward()

    def apply(self):
        clip_grad_norm_(self.weights, self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates += 1
