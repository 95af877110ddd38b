from contextlib import contextmanager

import torch


@contextmanager
def frozen(net):
    was = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was)


@contextmanager
def fresh_grads(optimizer):
    optimizer.zero_grad(set_to_none=True)
    yield optimizer


@contextmanager
def stage(name, timings, precision=None):
    """Books one part of the step under `name`."""
    timings[name] = timings.get(name, 0) + 1
    if precision is None:
        yield
    else:
        with torch.autocast("cpu", dtype=precision):
            yield
