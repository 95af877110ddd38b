# === a helper that steps is told to, and the guard around its call counts
class Stepper:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self, update=True):
        if update:
            self.optimizer.step()
            self.optimizer.zero_grad()


def fit(net, optimizer, loader, criterion, accum, epochs):
    stepper = Stepper(optimizer)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (criterion(net(x), y) / accum).backward()
            if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
                stepper.step()


# === the helper is told by what it is handed, which counts
class Stepper:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self, update=True):
        if update:  # <- dropped-accumulation-tail
            self.optimizer.step()
            self.optimizer.zero_grad()


def fit(net, optimizer, loader, criterion, accum, epochs):
    stepper = Stepper(optimizer)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (criterion(net(x), y) / accum).backward()
            stepper.step((i + 1) % accum == 0)


# === right: the guard is true at the end, too
class Stepper:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self, update=True):
        if update:
            self.optimizer.step()
            self.optimizer.zero_grad()


def fit(net, optimizer, loader, criterion, accum, epochs):
    stepper = Stepper(optimizer)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (criterion(net(x), y) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                stepper.step()


# === right: a step for each batch
class Stepper:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def step(self, update=True):
        if update:
            self.optimizer.step()
            self.optimizer.zero_grad()


def fit(net, optimizer, loader, criterion, epochs):
    stepper = Stepper(optimizer)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            criterion(net(x), y).backward()
            stepper.step()
