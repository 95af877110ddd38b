import torch


class LossScaling:
    scaler: torch.amp.GradScaler

    def use_scaling(self, device="cpu", start=2.0**10):
        self.scaler = torch.amp.GradScaler(device, init_scale=start)

    def push(self, loss):
        self.scaler.scale(loss).backward()
