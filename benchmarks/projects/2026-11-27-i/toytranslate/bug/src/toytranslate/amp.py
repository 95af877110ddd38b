import torch


class MixedPrecision:
    """float16 on the GPU, plain float32 anywhere else."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.enabled = device == "cuda"
        self._scaler = torch.amp.GradScaler("cuda", enabled=self.enabled)

    def forward(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.enabled)

    def backward(self, loss: torch.Tensor) -> None:
        self._scaler.scale(loss).backward()

    def reveal(self, optimizer: torch.optim.Optimizer) -> None:
        self._scaler.unscale_(optimizer)

    def apply(self, optimizer: torch.optim.Optimizer) -> None:
        self._scaler.step(optimizer)

    def close(self) -> None:
        self._scaler.update()
