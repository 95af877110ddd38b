from contextlib import contextmanager

import torch


@contextmanager
def quiet(ddp, on):
    """No all-reduce for what runs inside, if on."""
    if on:
        with ddp.no_sync():
            yield
    else:
        yield


@contextmanager
def inspection(model):
    """The model as it is used, not as it is trained."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(was_training)


@contextmanager
def seeded(seed):
    state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    try:
        yield
    finally:
        torch.random.set_rng_state(state)
