import torch


class HalfPrecision:
    """float16 forward, one loss scale for every optimizer of the codec."""

    def __init__(self, init_scale, growth_interval):
        self.scaler = torch.amp.GradScaler("cpu", init_scale=init_scale, growth_interval=growth_interval)

    def forward(self):
        return torch.autocast("cpu", dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def apply(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()
