import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from criterion import BoxCriterion


class DotDetector(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU())
        self.cls = nn.Linear(width * 9, 3)
        self.box = nn.Linear(width * 9, 2)

    def forward(self, image):
        h = self.conv(image).flatten(1)
        return self.cls(h), self.box(h).sigmoid()


def build_model(opt):
    return DistributedDataParallel(DotDetector())


def build_optimizer(opt, model):
    return torch.optim.SGD(model.parameters(), lr=opt.lr, momentum=0.9, nesterov=True)


def build_criterion(opt):
    return BoxCriterion(box_weight=opt.box_weight, micro_batches=opt.accum)
