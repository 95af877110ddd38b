import torch
import torch.nn.functional as F

from registry import LOSSES


class RankingLoss:
    def __init__(self, accumulate=1, margin=0.0):
        self.accumulate = accumulate
        self.margin = margin


@LOSSES.register("bpr")
class BPR(RankingLoss):
    def __call__(self, pos, neg):
        return -F.logsigmoid(pos - neg - self.margin).mean()


@LOSSES.register("hinge")
class Hinge(RankingLoss):
    def __call__(self, pos, neg):
        return F.relu(1 + self.margin - pos + neg).mean()
