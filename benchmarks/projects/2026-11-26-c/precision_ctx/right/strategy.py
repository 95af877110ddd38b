from contextlib import contextmanager

import torch


class Precision:
    """Everything that has to do with number formats."""

    TYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}

    def __init__(self, name, device):
        self.dtype = self.TYPES[name]
        self.device = device
        self.scaler = torch.amp.GradScaler(
            device.type, enabled=self.dtype is torch.float16 and device.type == "cuda")

    @contextmanager
    def step_context(self):
        with torch.autocast(self.device.type, dtype=self.dtype, enabled=self.dtype is not torch.float32):
            yield

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def unscale(self, optimizer):
        self.scaler.unscale_(optimizer)

    def optimizer_step(self, optimizer):
        self.scaler.step(optimizer)
        self.scaler.update()

    def state_dict(self):
        return {"scaler": self.scaler.state_dict()}
