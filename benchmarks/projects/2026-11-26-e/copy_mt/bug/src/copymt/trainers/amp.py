import torch


class AmpMixin:
    """Put in front of a trainer: class Mine(AmpMixin, SomeTrainer)."""

    def __init__(self, *args, init_scale=2.0**12, **kwargs):
        super().__init__(*args, **kwargs)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=init_scale)

    def backward(self, loss):
        super().backward(self.scaler.scale(loss))

    def finish_gradients(self):
        super().finish_gradients()
        self.scaler.unscale_(self.optimizer)

    def apply(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
