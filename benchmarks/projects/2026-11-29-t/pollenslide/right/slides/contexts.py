from contextlib import contextmanager

from torch.nn.utils import clip_grad_norm_


@contextmanager
def quiet(model, last):
    """Reduce gradients in the last micro-batch only."""
    if last:
        yield
    else:
        with model.no_sync():
            yield


@contextmanager
def limited(parameters, most):
    """Keep the update that the block computes below a norm."""
    parameters = list(parameters)
    yield
    clip_grad_norm_(parameters, most)
