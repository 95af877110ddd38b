import torch


class Half:
    """All that a loop has to know about float16."""

    def __init__(self, device):
        self.device = device
        self.scaler = torch.amp.GradScaler(device, init_scale=1024.0)

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def reveal(self, optimizer):
        self.scaler.unscale_(optimizer)

    def advance(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
