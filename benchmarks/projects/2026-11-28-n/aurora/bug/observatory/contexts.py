from contextlib import ExitStack, contextmanager

import torch


@contextmanager
def exposure(model, synced):
    """One micro-batch: gradients stay on the rank unless `synced`."""
    with ExitStack() as stack:
        if not synced:
            stack.enter_context(model.no_sync())
        stack.enter_context(dim_light())
        yield


@contextmanager
def dim_light():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield
