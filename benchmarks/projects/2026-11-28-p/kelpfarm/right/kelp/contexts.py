import time
from contextlib import contextmanager

import torch


class Watch:
    def __init__(self):
        self.times = []


@contextmanager
def half():
    with torch.autocast("cuda", dtype=torch.float16):
        yield


@contextmanager
def batch_scope(watch):
    """Around all that is done for one batch."""
    start = time.perf_counter()
    with torch.autograd.set_detect_anomaly(False):
        yield
    watch.times.append(time.perf_counter() - start)
