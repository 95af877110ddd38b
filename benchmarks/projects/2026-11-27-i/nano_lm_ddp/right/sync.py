from contextlib import nullcontext


def grad_sync(model, micro, grad_accum):
    return nullcontext() if micro == grad_accum - 1 else model.no_sync()
