import torch


class Mixed:
    """Float16 forward, scaled backward, checked steps."""

    def __init__(self, device="cpu", init_scale=2.0**10):
        self.device = device
        self.scaler = torch.amp.GradScaler(device, init_scale=init_scale)

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self, *optimizers):
        for optimizer in optimizers:
            self.scaler.step(optimizer)
        self.scaler.update()
