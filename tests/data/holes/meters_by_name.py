"""Meters that are kept by names: each is made where its name is first asked for."""

# === a defaultdict of meters, for each of several losses
from collections import OrderedDict, defaultdict


class Mean:
    def __init__(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value, seen=1):
        self.whole += value * seen  # <- loss-graph-leak
        self.seen += seen


def named(found):
    means = OrderedDict()
    for name, value in found.items():
        means[name] = value.mean()
    return sum(one for name, one in means.items() if name.startswith("loss")), means


def train(net, loader, optimizer):
    means = defaultdict(Mean)
    for batch in loader:
        loss, parts = named(net(**batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name in parts:
            means[name].add(parts[name], len(batch))
    return means

# === under a name that stands there
from collections import defaultdict
from torch.nn.functional import cross_entropy


class Mean:
    def __init__(self):
        self.reset()

    def reset(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value):
        self.whole = self.whole + value  # <- loss-graph-leak
        self.seen += 1


def train(net, loader, optimizer):
    means = defaultdict(Mean)
    for x, y in loader:
        loss = cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        means["train/loss"].add(loss)
    return means["train/loss"].whole / means["train/loss"].seen

# === made where none is there yet, and a list likewise
class Mean:
    def __init__(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value):
        self.whole += value  # <- loss-graph-leak
        self.seen += 1


def train(net, loader, optimizer):
    means, lists = {}, {}
    for x, y in loader:
        found = net(x, y)
        optimizer.zero_grad()
        sum(found.values()).backward()
        optimizer.step()
        for k in found:
            if k not in means:
                means[k] = Mean()
            means[k].add(found[k].mean())
        for name in found.keys():
            if name not in lists:
                lists[name] = []
            lists[name].append(found[name])  # <- loss-graph-leak
    return means, lists

# === right: numbers go in, by the call or by the meter itself
from collections import defaultdict


class Mean:
    def __init__(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value):
        self.whole += value
        self.seen += 1


class Plain:
    def __init__(self):
        self.whole = 0.0

    def add(self, value):
        self.whole += float(value)


def train(net, loader, optimizer):
    means, plain, cut = defaultdict(Mean), defaultdict(Plain), {}
    for x, y in loader:
        found = net(x, y)
        optimizer.zero_grad()
        sum(found.values()).backward()
        optimizer.step()
        for name, value in found.items():
            means[name].add(value.item())
            plain[name].add(value)
            if name not in cut:
                cut[name] = Mean()
            cut[name].add(value.detach())
    return means, plain, cut

# === right: made anew with each batch, or of what the network does not compute
from collections import defaultdict


class Mean:
    def __init__(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value):
        self.whole += value
        self.seen += 1


def train(net, loader, optimizer, report):
    speed = defaultdict(Mean)
    for batch in loader:
        found, means = net(**batch), defaultdict(Mean)
        optimizer.zero_grad()
        sum(found.values()).backward()
        optimizer.step()
        for name, value in found.items():
            means[name].add(value)
        for name, value in batch.items():
            speed[name].add(len(value))
        report(means)
    return speed

# === right: what is looked up under the number of a batch goes forward each time that it is not there
from torch.nn.functional import mse_loss


def train(net, guide, loader, optimizer, epochs):
    known, seen = {}, {}
    for _ in range(epochs):
        for number, x, y in loader:
            if number not in known:
                known[number] = guide(x).detach()
            if number not in seen:
                seen[number] = []
            loss = mse_loss(net(x), y) + mse_loss(net(x), known[number])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen[number].append(loss.item())
    return seen

# === right: sums by name that go backward behind the parts of a batch
from collections import defaultdict


class Mean:
    def __init__(self):
        self.whole, self.seen = 0.0, 0

    def add(self, value):
        self.whole += value
        self.seen += 1

    def mean(self):
        return self.whole / self.seen


def train(net, loader, optimizer, n):
    means = defaultdict(Mean)
    for i, batch in enumerate(loader):
        for name, value in net(**batch).items():
            means[name].add(value)
        if (i + 1) % n == 0:
            optimizer.zero_grad()
            sum(one.mean() for one in means.values()).backward()
            optimizer.step()
            means.clear()
