import torch


class NativeScaler:
    """Backward, clip and step of one network, scaled when it runs on a GPU."""

    def __init__(self, enabled):
        self._scaler = torch.amp.GradScaler("cuda", enabled=enabled)

    def backward(self, loss):
        self._scaler.scale(loss).backward()

    def unscale(self, optimizer):
        self._scaler.unscale_(optimizer)

    def scale_value(self):
        return self._scaler.get_scale()

    def __call__(self, optimizer, parameters, clip):
        self._scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(parameters, clip)
        self._scaler.step(optimizer)
        self._scaler.update()
        optimizer.zero_grad()
