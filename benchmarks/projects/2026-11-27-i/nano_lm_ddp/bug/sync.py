from contextlib import nullcontext


def grad_sync(model, micro, grad_accum):
    return nullcontext() if micro == 0 else model.no_sync()
