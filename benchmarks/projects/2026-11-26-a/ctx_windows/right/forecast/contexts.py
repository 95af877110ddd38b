from contextlib import contextmanager

import torch


@contextmanager
def micro_batch(optimizer, index, every, total):
    """Clears in front of the forward and steps behind the backward, when it is time."""
    if index % every == 0:
        optimizer.zero_grad(set_to_none=True)
    yield
    if (index + 1) % every == 0 or index + 1 == total:
        optimizer.step()


@contextmanager
def evaluating(model):
    training = model.training
    model.eval()
    with torch.no_grad():
        yield model
    model.train(training)


def progress(items, label, every=6):
    for index, item in enumerate(items):
        yield item
        if (index + 1) % every == 0:
            print(f"  {label} {index + 1}/{len(items)}")
