from contextlib import nullcontext

import torch

__all__ = ['micro_step', 'scaled_backward', 'apply_gradients']


def micro_step(model, last):
    return nullcontext() if last else model.no_sync()


def scaled_backward(loss, scaler):
    scaler.scale(loss).backward()


def apply_gradients(optimizer, scaler):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
