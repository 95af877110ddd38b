
import torch

__all__ = ['scaled_backward', 'apply_gradients']


def scaled_backward(loss, scaler):
    scaler.scale(loss).backward()


def apply_gradients(optimizer, scaler):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
