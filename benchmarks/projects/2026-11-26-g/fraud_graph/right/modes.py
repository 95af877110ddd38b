from contextlib import contextmanager

import torch


@contextmanager
def resting(net):
    before = net.training
    net.eval()
    with torch.no_grad():
        yield net
    net.train(before)
