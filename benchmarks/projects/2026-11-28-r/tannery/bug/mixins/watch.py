import torch


class WatchMixin:
    """Keeps the true length of the gradients, before they are cut."""

    def watch(self):
        self.scaler.unscale_(self.optimizer)
        grads = [p.grad for p in self.net.parameters() if p.grad is not None]
        length = torch.nn.utils.get_total_norm(grads)
        self.lengths.append(length.item())
