# === a helper divides by a name that the loop divides by once more
from torch import nn

SIZE = 4


def share_of(net, x, y):
    return nn.functional.cross_entropy(net(x), y) / SIZE


def train(net, opt, loader):
    for n, (x, y) in enumerate(loader, start=1):
        loss = share_of(net, x, y)
        (loss / SIZE).backward()  # <- accumulation-divisor-mismatch
        if n % SIZE == 0 or n == len(loader):
            opt.step()
            opt.zero_grad()
# === right: the helper alone divides
from torch import nn

SIZE = 4


def share_of(net, x, y):
    return nn.functional.cross_entropy(net(x), y) / SIZE


def train(net, opt, loader):
    for n, (x, y) in enumerate(loader, start=1):
        share_of(net, x, y).backward()
        if n % SIZE == 0 or n == len(loader):
            opt.step()
            opt.zero_grad()
# === right: a loss over all pairs, of as many views as an update takes batches
from torch import nn

SIZE = 4
VIEWS = 4


def train(net, opt, loader):
    for n, (x, y) in enumerate(loader, start=1):
        loss = nn.functional.cross_entropy(net(x), y) / VIEWS / VIEWS
        loss.backward()
        if n % SIZE == 0 or n == len(loader):
            opt.step()
            opt.zero_grad()
# === right: a sum over all pairs, and so divided twice
from torch import nn

SIZE = 4


def train(net, opt, loader):
    for n, (x, y) in enumerate(loader, start=1):
        loss = nn.functional.mse_loss(net(x), y, reduction="sum") / SIZE / SIZE
        loss.backward()
        if n % SIZE == 0 or n == len(loader):
            opt.step()
            opt.zero_grad()
