from torch.nn.utils import clip_grad_norm_


class MonitorMixin:
    norm = 0.0

    def measure(self):
        """True gradients from here on; their norm is kept."""
        self.scaler.unscale_(self.optimizer)
        self.norm = float(clip_grad_norm_(self.net.parameters(), float("inf")))
