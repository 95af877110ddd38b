# === right: what is left is told by the samples that came in
from torch import nn


def train(net, opt, batches, every):
    for _ in range(3):
        seen = 0
        for k, (x, y) in enumerate(batches, 1):
            nn.functional.mse_loss(net(x), y, reduction="sum").backward()
            seen += len(x)
            if not k % every:
                for p in net.parameters():
                    p.grad.div_(seen)
                opt.step()
                opt.zero_grad()
                seen = 0
        if seen:
            for p in net.parameters():
                p.grad.div_(seen)
            opt.step()
            opt.zero_grad()
# === right: by a comparison, in a class whose method begins the count again
from torch import nn


class Fitter:
    def __init__(self, net, opt, every):
        self.net, self.opt, self.every = net, opt, every

    def close(self, seen):
        for p in self.net.parameters():
            p.grad.div_(seen)
        self.opt.step()
        self.opt.zero_grad()
        return 0

    def epoch(self, batches):
        seen = 0
        for k, (x, y) in enumerate(batches, 1):
            nn.functional.mse_loss(self.net(x), y, reduction="sum").backward()
            seen += x.size(0)
            if k % self.every == 0:
                seen = self.close(seen)
        if 0 < seen:
            self.close(seen)


def train(fitter, batches):
    for _ in range(3):
        fitter.epoch(batches)
# === what is left is used only where it is much
from torch import nn


def train(net, opt, batches, every):
    for _ in range(3):
        seen = 0
        for k, (x, y) in enumerate(batches, 1):
            nn.functional.mse_loss(net(x), y, reduction="sum").backward()
            seen += len(x)
            if not k % every:  # <- dropped-accumulation-tail
                for p in net.parameters():
                    p.grad.div_(seen)
                opt.step()
                opt.zero_grad()
                seen = 0
        if seen > 30:
            for p in net.parameters():
                p.grad.div_(seen)
            opt.step()
            opt.zero_grad()
# === what is left is never used
from torch import nn


def train(net, opt, batches, every):
    for _ in range(3):
        seen = 0
        for k, (x, y) in enumerate(batches, 1):
            nn.functional.mse_loss(net(x), y, reduction="sum").backward()
            seen += len(x)
            if not k % every:  # <- dropped-accumulation-tail
                for p in net.parameters():
                    p.grad.div_(seen)
                opt.step()
                opt.zero_grad()
                seen = 0
        if not seen:
            opt.step()
            opt.zero_grad()
