from torch.nn.utils import clip_grad_norm_

from .registry import finisher


@finisher("plain")
class PlainFinish:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer = model, optimizer

    def __call__(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


@finisher("scaled")
class ScaledFinish:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer, self.scaler = model, optimizer, scaler

    def __call__(self):
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.model.parameters(), 5.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
