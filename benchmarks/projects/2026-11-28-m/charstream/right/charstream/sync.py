from contextlib import contextmanager


@contextmanager
def lazily_reduced(ddp, closing):
    if closing:
        yield ddp
    else:
        with ddp.no_sync():
            yield ddp
