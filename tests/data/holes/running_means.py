# === a helper adds to the mean that it is given
def running(mean, value, seen):
    return (mean * seen + value) / (seen + 1)


def fit(net, optimizer, loader, criterion):
    mean = 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        mean = running(mean, loss, i)  # <- loss-graph-leak
    return float(mean)


# === by a variable, of an object, by keywords
class Epoch:
    def __init__(self):
        self.smooth = 0.0

    @staticmethod
    def blend(value, old, rate=0.9):
        new = rate * old + (1 - rate) * value
        return new

    def run(self, net, optimizer, loader, criterion):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            self.smooth = self.blend(loss, old=self.smooth)  # <- loss-graph-leak


# === in a statement, divided by how many there are
def fit(net, optimizer, loader, criterion):
    mean = 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        mean = (mean * i + loss) / (i + 1)  # <- loss-graph-leak
    return float(mean)


# === right: it is given a number
def running(mean, value, seen):
    return (mean * seen + value) / (seen + 1)


def fit(net, optimizer, loader, criterion):
    mean = 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        mean = running(mean, loss.item(), i)
    return mean


# === right: the helper takes the number
def running(mean, value, seen):
    return (mean * seen + value.detach()) / (seen + 1)


def fit(net, optimizer, loader, criterion):
    mean = 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        mean = running(mean, loss, i)
    return float(mean)


# === right: the loss itself is blended, anew in each batch
def blend(loss, aux, weight):
    return (loss + weight * aux) / (1 + weight)


def fit(net, optimizer, loader, criterion, penalty):
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        loss = criterion(out, y)
        loss = blend(loss, penalty(out), 0.1)
        loss.backward()
        optimizer.step()


# === right: halved in a statement, anew in each batch
def fit(net, optimizer, loader, criterion, penalty):
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        loss = criterion(out, y)
        loss = (loss + penalty(out)) / 2
        loss.backward()
        optimizer.step()


# === right: another value is given back
def latest(mean, value):
    total = mean + 1
    return value if total else mean


def fit(net, optimizer, loader, criterion):
    last = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        last = latest(last, loss)
    return float(last)


# === right: a sum over the parts of a batch, through which backward runs
def gather(total, value):
    return total + value


def fit(net, optimizer, loader, criterion):
    for parts in loader:
        total = 0
        for x, y in parts:
            total = gather(total, criterion(net(x), y))
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
