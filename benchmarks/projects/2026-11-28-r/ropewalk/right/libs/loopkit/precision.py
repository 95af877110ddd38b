import torch


class Precision:
    """Half precision for whoever wants it."""

    def __init__(self, device):
        self.device = device
        self.scaler = torch.amp.GradScaler(device)

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()
