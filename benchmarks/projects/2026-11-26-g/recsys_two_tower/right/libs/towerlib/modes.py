from contextlib import contextmanager

import torch


@contextmanager
def at_rest(model):
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(before)
