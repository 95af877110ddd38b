import contextlib


@contextlib.contextmanager
def window(replica, index, size, total):
    """Hold the all-reduce back until the window's gradients are complete."""
    if (index + 1) % size == 0 or index + 1 == total:
        yield
    else:
        with replica.no_sync():
            yield


def hush(replica, quiet):
    return replica.no_sync() if quiet else contextlib.nullcontext()
