import torch


class Callback:
    def before_step(self, engine): ...

    def after_step(self, engine): ...


class GradLimit(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_step(self, engine):
        torch.nn.utils.clip_grad_norm_(engine.net.parameters(), self.max_norm)


class Ema(Callback):
    def __init__(self, decay=0.99):
        self.decay, self.shadow = decay, {}

    @torch.no_grad()
    def after_step(self, engine):
        for name, p in engine.net.named_parameters():
            old = self.shadow.setdefault(name, p.clone())
            old.lerp_(p, 1 - self.decay)
