import functools

import torch


def lowp(device="cpu", dtype=torch.bfloat16):
    """Run the decorated function in reduced precision."""

    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            with torch.autocast(device, dtype=dtype):
                return fn(*args, **kwargs)

        return inner

    return wrap
