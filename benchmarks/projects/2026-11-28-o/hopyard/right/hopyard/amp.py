import torch


class MixedPrecision:
    """The scaler and all that has to be done with it."""

    def __init__(self, device):
        self.device = device
        self.scaler = torch.amp.GradScaler(device)

    def autocast(self):
        return torch.autocast(self.device, dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def gradients_of(self, optimizer):
        """True gradients, for whoever wants to look at them."""
        self.scaler.unscale_(optimizer)

    def apply(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad(set_to_none=True)
