import contextlib

from torch.nn.utils import clip_grad_norm_


class Guard:
    """Takes an update with limits around a backward."""

    def __init__(self, net, optimizer, scaler, max_norm):
        self.net, self.optimizer, self.scaler = net, optimizer, scaler
        self.max_norm = max_norm
        self.norms = []

    def begin_epoch(self):
        self.norms.clear()

    @contextlib.contextmanager
    def update(self):
        yield
        self.scaler.unscale_(self.optimizer)
        self.norms.append(float(clip_grad_norm_(self.net.parameters(), self.max_norm)))
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def report(self):
        return f"norm {max(self.norms):.3f} scale {self.scaler.get_scale():g}"
