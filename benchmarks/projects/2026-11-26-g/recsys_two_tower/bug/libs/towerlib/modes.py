from contextlib import contextmanager

import torch


@contextmanager
def at_rest(model):
    before = model.training
    model.eval()
    try:
        yield model
    finally:
        model.train(before)
