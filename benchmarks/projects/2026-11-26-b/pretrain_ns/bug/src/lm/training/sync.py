from contextlib import contextmanager


@contextmanager
def grad_sync(model, enabled):
    if enabled:
        yield
    else:
        with model.no_sync():
            yield
