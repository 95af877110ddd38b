import torch


class AmpMixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    def autocast(self):
        return torch.autocast("cpu", dtype=torch.float16)

    def backward(self, loss):
        super().backward(self.scaler.scale(loss))

    def optimizer_step(self, index):
        self.scaler.step(self.optimizer)
        self.scaler.update()
