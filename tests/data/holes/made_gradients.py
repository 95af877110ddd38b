# === the whole network is cleared too early, by hand
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        for p in model.parameters():  # <- zero-grad-before-step
            p.grad = torch.zeros_like(p)
        optimizer.step()
# === cleared too early by hand, then reduced over the ranks
import torch
import torch.distributed as dist
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        for p in model.parameters():  # <- zero-grad-before-step
            p.grad.zero_()
        for p in model.parameters():
            dist.all_reduce(p.grad)
            p.grad /= dist.get_world_size()
        optimizer.step()
# === cleared too early by hand, then with decay
import torch
import torch.nn.functional as F


def train(model, loader, decay):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        for p in model.parameters():  # <- zero-grad-before-step
            p.grad.zero_()
        for p in model.parameters():
            p.grad.add_(decay * p.data)
        optimizer.step()
# === right: the gradient of a single other parameter is begun with zeros and filled by hand
import torch
import torch.nn.functional as F


class Dual:
    def __init__(self, net, multipliers, dual_optimizer, opt):
        self.net, self.multipliers, self.dual_optimizer, self.opt = net, multipliers, dual_optimizer, opt
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def epoch(self, loader, kept):
        updates = 0
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            self.optimizer.step()
            updates += 1
            if updates >= self.opt.dual_every:
                weights = self.multipliers.parameters()[0]
                weights.grad = weights.new_zeros(weights.size())
                for places, a, b in kept:
                    with torch.no_grad():
                        slack = F.mse_loss(self.net(a), b, reduction="none")
                    weights.grad.index_add_(0, places, slack, alpha=-1)
                self.dual_optimizer.step()
                self.dual_optimizer.zero_grad()
                updates = 0
# === right: the gradients of a whole network are begun with zeros and filled by hand
import torch
import torch.nn.functional as F


def train(net, loader, kept):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(net(x), y).backward()
        found = kept.of(net)
        for p in net.parameters():
            p.grad.zero_()
        for p, g in zip(net.parameters(), found):
            p.grad.add_(g)
        optimizer.step()
# === right: one parameter is kept as it is
import torch
import torch.nn.functional as F


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        net.embedding.weight.grad = None
        optimizer.step()
