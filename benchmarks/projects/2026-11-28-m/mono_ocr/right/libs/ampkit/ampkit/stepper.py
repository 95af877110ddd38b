import torch


class MixedStepper:
    """Loss scaling for one optimizer, shared by all apps of this repository."""

    def __init__(self, optimizer: torch.optim.Optimizer, device: str = "cpu") -> None:
        self.optimizer, self.device = optimizer, device
        self._scaler = torch.amp.GradScaler(device, init_scale=2.0**10)

    def cast(self) -> torch.autocast:
        return torch.autocast(self.device, dtype=torch.float16)

    def backward(self, loss: torch.Tensor) -> None:
        self._scaler.scale(loss).backward()

    def limit(self, params, max_norm: float) -> torch.Tensor:
        self._scaler.unscale_(self.optimizer)
        return torch.nn.utils.clip_grad_norm_(params, max_norm)

    def commit(self) -> None:
        self._scaler.step(self.optimizer)
        self._scaler.update()
