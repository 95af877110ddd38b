import time
from contextlib import contextmanager

import torch


@contextmanager
def mixed(policy):
    with torch.autocast(policy.device, dtype=policy.dtype):
        yield


@contextmanager
def timed(book, name):
    start = time.perf_counter()
    yield
    book[name] = book.get(name, 0.0) + time.perf_counter() - start
