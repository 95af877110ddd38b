from torch.nn import functional as F

from registry import LOSSES


@LOSSES.register("balanced")
def balanced(net, batch, accum):
    leaf, score = batch
    return F.smooth_l1_loss(net(leaf), score) / accum


@LOSSES.register("bitter")
def bitter(net, batch, accum):
    leaf, score = batch
    return F.mse_loss(net(leaf), score) * (1 / accum)
