import torch


class AmpMixin:
    def setup_amp(self, device):
        on = device == "cuda"
        self.device_type = device
        self.scaler = torch.amp.GradScaler(device, enabled=on)

    def forward_scope(self):
        return torch.autocast(self.device_type, enabled=self.scaler.is_enabled())

    def amp_backward(self, loss):
        self.scaler.scale(loss).backward()

    def amp_step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
