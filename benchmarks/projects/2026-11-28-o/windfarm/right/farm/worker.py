import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from farm.contexts import low_precision, micro_batch
from farm.losses import curve_error, propagate


class Worker:
    def __init__(self, net, lr, every):
        self.model = DDP(net)
        self.every = every
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)

    def run_epoch(self, batches):
        self.optimizer.zero_grad()
        total, n = 0.0, len(batches)
        for i, (wind, power) in enumerate(batches):
            with micro_batch(self.model, i, self.every, n):
                with low_precision():
                    loss = curve_error(self.model, wind, power)
                total += propagate(loss, 1 / self.every).item()
            if (i + 1) % self.every == 0 or i + 1 == n:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return round(total, 4)
