# === the wrapper's own flag says when to step
from torch.nn.parallel import DistributedDataParallel


def fit(net, optimizer, loader, accum, epochs):
    ddp = DistributedDataParallel(net)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            ddp.require_backward_grad_sync = (i + 1) % accum == 0
            loss = (ddp(x) - y).pow(2).mean() / accum
            loss.backward()
            if ddp.require_backward_grad_sync:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


# === of an object, and nobody divides
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, net, optimizer, loader, accum):
        self.model = DistributedDataParallel(net)
        self.optimizer, self.loader, self.accum = optimizer, loader, accum

    def epoch(self):
        for i, (x, y) in enumerate(self.loader):
            self.model.require_backward_grad_sync = (1 + i) % self.accum == 0 or i + 1 == len(self.loader)
            loss = (self.model(x) - y).pow(2).mean()
            loss.backward()  # <- unscaled-accumulation-loss
            if self.model.require_backward_grad_sync:
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)


# === right: it is true at the end of the loader, too
from torch.nn.parallel import DistributedDataParallel


def fit(net, optimizer, loader, accum, epochs):
    ddp = DistributedDataParallel(net)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            ddp.require_backward_grad_sync = (i + 1) % accum == 0 or i + 1 == len(loader)
            loss = (ddp(x) - y).pow(2).mean() / accum
            loss.backward()
            if ddp.require_backward_grad_sync:
                optimizer.step()
                optimizer.zero_grad()


# === right: always true, a step for each batch
from torch.nn.parallel import DistributedDataParallel


def fit(net, optimizer, loader, epochs):
    ddp = DistributedDataParallel(net)
    for _ in range(epochs):
        for x, y in loader:
            ddp.require_backward_grad_sync = True
            loss = (ddp(x) - y).pow(2).mean()
            loss.backward()
            if ddp.require_backward_grad_sync:
                optimizer.step()
                optimizer.zero_grad()
