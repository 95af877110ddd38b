import torch


class LossScaler:
    """Thin layer over GradScaler that goes into the checkpoint by its own name."""

    state_dict_key = "amp_scaler"

    def __init__(self, device):
        self._scaler = torch.amp.GradScaler(device, init_scale=2.0**10)

    def backward(self, loss):
        self._scaler.scale(loss).backward()

    def apply(self, optimizer):
        self._scaler.unscale_(optimizer)
        self._scaler.step(optimizer)
        self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()
