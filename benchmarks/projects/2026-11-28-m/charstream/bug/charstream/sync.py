from contextlib import contextmanager


@contextmanager
def lazily_reduced(ddp, micro, accum):
    if (micro + 1) % accum == 0:
        yield ddp
    else:
        with ddp.no_sync():
            yield ddp
