from contextlib import contextmanager

import torch


@contextmanager
def fresh_gradients(optimizer):
    optimizer.zero_grad(set_to_none=True)
    yield optimizer


@contextmanager
def precision(device):
    with torch.autocast(device, dtype=torch.bfloat16):
        yield


@contextmanager
def ema_scope(model, ema):
    """Runs the model with the averaged weights, then puts its own back."""
    backup = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(ema.state_dict())
    model.eval()
    try:
        yield model
    finally:
        model.load_state_dict(backup)
