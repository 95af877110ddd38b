import torch


class GradLimit:
    def before_step(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.options["max_norm"])
        super().before_step()


class LossScaling:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def backward(self, loss):
        super().backward(self.scaler.scale(loss))

    def before_step(self):
        self.scaler.unscale_(self.optimizer)
        super().before_step()

    def optimizer_step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
