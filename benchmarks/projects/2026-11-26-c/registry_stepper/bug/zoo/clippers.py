import torch

from . import CLIPPERS


@CLIPPERS.register_module()
class NoClip:
    def __call__(self, model, optimizer, scaler):
        return None


@CLIPPERS.register_module()
class ValueClip:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, model, optimizer, scaler):
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_value_(model.parameters(), self.limit)


@CLIPPERS.register_module()
class NormClip:
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def __call__(self, model, optimizer, scaler):
        torch.nn.utils.clip_grad_norm_(model.parameters(), self.max_norm)
