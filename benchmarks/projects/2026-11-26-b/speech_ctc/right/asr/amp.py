import torch


class LossScaler:
    """Keeps the GradScaler out of the training loop."""

    def __init__(self, device="cpu"):
        self._scaler = torch.amp.GradScaler(device, init_scale=1024.0)

    def backward(self, loss):
        self._scaler.scale(loss).backward()

    def __call__(self, optimizer, clip=None):
        self._scaler.unscale_(optimizer)
        if clip is not None:
            clip()
        self._scaler.step(optimizer)
        self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()
