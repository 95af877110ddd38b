import functools
from collections import defaultdict

import torch

__all__ = ["History", "inference"]


def inference(function):
    @functools.wraps(function)
    def wrapped(model, *args, **kwargs):
        training = model.training
        try:
            with torch.no_grad():
                return function(model, *args, **kwargs)
        finally:
            model.train(training)

    return wrapped


class History:
    def __init__(self):
        self.values = defaultdict(list)

    def log(self, name, value):
        self.values[name].append(float(value.detach()))

    def mean(self, name):
        return sum(self.values[name]) / len(self.values[name])

    def clear(self):
        self.values.clear()
