# === a score of an evaluation between two batches is no loss
import torch


class Stopper:
    def __init__(self):
        self.best, self.in_stop = 0, False

    def step(self, metric):
        self.in_stop = float(metric) < self.best


def main(net, loader, loader_val, accum, epochs, log, every, resume):
    optimizer = torch.optim.Adam(net.parameters())
    stopper = Stopper()
    if resume:
        stopper = torch.load(resume)["stopper"]
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(net(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
            if i > 0 and i % every == 0:
                evaluate(net, loader_val, stopper, log)


@torch.no_grad()
def evaluate(net, loader_val, stopper, log):
    net.eval()
    for x, y in loader_val:
        log.keep((net(x).argmax(1) == y).float().mean().item())
    stopper.step(log.score_of("val"))
    net.train()


# === right: what is given a loss of its own may step for the rest
import torch


def main(net, loader, accum, epochs, kit):
    optimizer = torch.optim.Adam(net.parameters())
    keeper = kit.keeper()
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(net(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0:
                optimizer.step()
                optimizer.zero_grad()
            keeper.step(kit.loss_of(x))


# === right: the rest is stepped, and a score told
import torch


def main(net, loader, loader_val, accum, epochs, log, resume):
    optimizer = torch.optim.Adam(net.parameters())
    stopper = torch.load(resume)["stopper"]
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(net(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            stopper.step(log.score_of("val"))
