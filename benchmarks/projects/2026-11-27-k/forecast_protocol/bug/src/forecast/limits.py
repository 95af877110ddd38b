import torch
from torch.nn.utils import clip_grad_norm_


class NormLimit:
    def __init__(self, precision, optimizer, max_norm):
        self.precision, self.optimizer, self.max_norm = precision, optimizer, max_norm

    def __call__(self, parameters) -> float:
        self.precision.true_gradients(self.optimizer)
        return clip_grad_norm_(parameters, self.max_norm).item()


def largest_entry(parameters) -> float:
    return max(p.grad.abs().max().item() for p in parameters if p.grad is not None)
