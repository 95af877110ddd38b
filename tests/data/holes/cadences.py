# === a second loop counts from nought, by what the first asks from one
import torch


class Cadence:
    def __init__(self, every):
        self.every = every

    def due(self, number):
        return number % self.every == 0


def pretrain(net, opt, cadence, batches):
    for number in range(1, 13):
        x, y = next(batches)
        (torch.nn.functional.mse_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number):
            opt.step()
            opt.zero_grad()


def finetune(net, opt, cadence, pairs):
    for number, (x, y) in enumerate(pairs):
        (torch.nn.functional.l1_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number) or number == len(pairs) - 1:  # <- accumulation-off-by-one
            opt.step()
            opt.zero_grad()


def main(net, batches, pairs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    cadence = Cadence(4)
    pretrain(net, opt, cadence, batches)
    finetune(net, opt, cadence, pairs)

# === both count from one
import torch


class Cadence:
    def __init__(self, every):
        self.every = every

    def due(self, number):
        return number % self.every == 0


def pretrain(net, opt, cadence, batches):
    for number in range(1, 13):
        x, y = next(batches)
        (torch.nn.functional.mse_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number):
            opt.step()
            opt.zero_grad()


def finetune(net, opt, cadence, pairs):
    for number, (x, y) in enumerate(pairs, 1):
        (torch.nn.functional.l1_loss(net(x), y) / cadence.every).backward()
        if cadence.due(number) or number == len(pairs):
            opt.step()
            opt.zero_grad()


def main(net, batches, pairs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    cadence = Cadence(4)
    pretrain(net, opt, cadence, batches)
    finetune(net, opt, cadence, pairs)

# === one count goes on through both
import torch


class Trainer:
    def __init__(self, net, every=2):
        self.net, self.every, self.count = net, every, 0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def pretrain(self, batches):
        for x, y in batches:
            (torch.nn.functional.mse_loss(self.net(x), y) / self.every).backward()
            self.count += 1
            if self.count % self.every == 0:
                self.opt.step()
                self.opt.zero_grad()
        if self.count % self.every:
            self.opt.step()
            self.opt.zero_grad()

    def finetune(self, batches):
        for x, y in batches:
            (torch.nn.functional.l1_loss(self.net(x), y) / self.every).backward()
            self.count += 1
            if self.count % self.every == 0:
                self.opt.step()
                self.opt.zero_grad()
        if self.count % self.every:
            self.opt.step()
            self.opt.zero_grad()


def main(first, second, net):
    trainer = Trainer(net)
    trainer.pretrain(first)
    trainer.finetune(second)
