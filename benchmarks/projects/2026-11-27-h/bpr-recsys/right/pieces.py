import torch

from registry import DUE, FINISH


@DUE.add("modulo")
def modulo(count, window, total):
    return count % window == 0 or count == total


@DUE.add("always")
def always(count, window, total):
    return True


@FINISH.add("cap")
def cap(opt, params):
    torch.nn.utils.clip_grad_value_(params, 1.0)


@FINISH.add("move")
def move(opt, params):
    opt.step()


@FINISH.add("wipe")
def wipe(opt, params):
    opt.zero_grad()
