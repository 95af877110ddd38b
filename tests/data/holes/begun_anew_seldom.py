# === a total that is begun anew each hundred batches
from torch.nn.functional import mse_loss


def train(net, loader, optimizer):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss  # <- loss-graph-leak
        if step % 100 == 0:
            print(total / 100)
            total = 0.0
# === by a setting that says that it is for the log
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, args):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss  # <- loss-graph-leak
        if (step + 1) % args.log_interval == 0:
            print(total / args.log_interval)
            total = 0.0
# === by what is passed by, in updates of some micro-batches; and a list that is emptied
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, accum, every=50):
    losses, updates = [], 0
    for i, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / accum
        loss.backward()
        losses.append(loss)  # <- loss-graph-leak
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            updates += 1
            if updates % every:
                continue
            print(sum(losses) / len(losses))
            losses.clear()
# === an attribute that a method begins anew
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, net, optimizer, config):
        self.net, self.optimizer, self.config = net, optimizer, config
        self.reset()

    def reset(self):
        self.total = 0.0

    def fit(self, loader):
        for step, (x, y) in enumerate(loader):
            self.optimizer.zero_grad()
            loss = mse_loss(self.net(x), y)
            loss.backward()
            self.optimizer.step()
            self.total = self.total + loss  # <- loss-graph-leak
            if step and not step % self.config["print_freq"]:
                print(self.total)
                self.reset()
# === right: with each window, and each few batches
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, args):
    total = few = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / args.log_every
        loss.backward()
        total += loss
        few += loss
        if (step + 1) % args.log_every == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            print(total)
            total = 0.0
        if (step + 1) % 4 == 0:
            few = 0.0
# === right: by a number of which nobody knows what for; and each time but one in a hundred
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, interval):
    total = rest = 0.0
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss
        rest += loss
        if step % interval == 0:
            print(total)
            total = 0.0
        if step % 100 != 0:
            rest = 0.0
# === right: in a window of so many batches, by an `if` of its own
from torch.nn.functional import mse_loss


def train(net, loader, optimizer):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / 32
        loss.backward()
        total += loss
        if step % 32 == 31 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if step % 32 == 0:
            print(total)
            total = 0.0
# === right: as often as the window, which a name waits for
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, log, args, save_every=40):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / save_every
        loss.backward()
        total += loss
        full = (step + 1) % save_every == 0 or step + 1 == len(loader)
        if full:
            optimizer.step()
            optimizer.zero_grad()
        if (step + 1) % save_every == 0:
            log(total)
            total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / args.log_every
        loss.backward()
        total += loss
        full = (step + 1) % args.log_every == 0 or step + 1 == len(loader)
        if full:
            optimizer.step()
            optimizer.zero_grad()
        if (step + 1) % args.log_every == 0:
            log(total)
            total = 0.0
# === right: as many as the window has
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, log):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / 32
        loss.backward()
        total += loss
        full = (step + 1) % 32 == 0 or step + 1 == len(loader)
        if full:
            optimizer.step()
            optimizer.zero_grad()
        if (step + 1) % 32 == 0:
            log(total)
            total = 0.0
# === seldom beside such a window, by another count
from torch.nn.functional import mse_loss


def train(net, loader, optimizer, log, args):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        loss = mse_loss(net(x), y) / args.accum
        loss.backward()
        total += loss  # <- loss-graph-leak
        full = (step + 1) % args.accum == 0 or step + 1 == len(loader)
        if full:
            optimizer.step()
            optimizer.zero_grad()
        if (step + 1) % args.log_every == 0:
            log(total)
            total = 0.0
# === right: a number that is known, and small, wins over its name
from torch.nn.functional import mse_loss

LOG_EVERY = 1


def train(net, loader, optimizer, log, log_every=2):
    running = few = 0.0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        running += loss
        few += loss
        if i % LOG_EVERY == 0:
            log(running)
            running = 0.0
        if i % log_every == 0:
            log(few)
            few = 0.0
# === one that is known, and large
from torch.nn.functional import mse_loss

LOG_EVERY = 50


def train(net, loader, optimizer, log):
    running = 0.0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        running += loss  # <- loss-graph-leak
        if i % LOG_EVERY == 0:
            log(running)
            running = 0.0
