from contextlib import nullcontext

from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel


class Loom:
    def __init__(self, net):
        self.model = DistributedDataParallel(net)

    def error(self, row, target):
        return mse_loss(self.model(row), target)

    def quiet(self, closing):
        return nullcontext() if closing else self.model.no_sync()
