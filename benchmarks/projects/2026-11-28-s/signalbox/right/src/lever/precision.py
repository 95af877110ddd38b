import torch


class Precision:
    """Autocast and the scaler that goes with it."""

    def __init__(self, device, dtype):
        self.device, self.dtype = device, dtype
        self.scaler = torch.amp.GradScaler(device, init_scale=256.0, enabled=dtype is torch.float16)

    def forward(self):
        return torch.autocast(self.device, dtype=self.dtype)

    def backward(self, loss):
        loss = self.scaler.scale(loss)
        loss.backward()

    def true_gradients(self, optimizer):
        self.scaler.unscale_(optimizer)

    def update(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad()
