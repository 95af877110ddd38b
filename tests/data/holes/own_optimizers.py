# === an optimizer of the file's own clears in its step
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(group["lr"] * p.grad.sign())
        self.zero_grad()


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
# === one that is made of torch's clears behind the step of its base
import torch
from torch import nn


class Clearing(torch.optim.SGD):
    def step(self, closure=None):
        loss = super().step(closure)
        self.zero_grad()
        return loss


def train(net, loader):
    opt = Clearing(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
# === one that is made of torch's and clears nothing
import torch
from torch import nn


class Logging(torch.optim.SGD):
    def step(self, closure=None):
        print(self.param_groups[0]["lr"])
        return super().step(closure)


def train(net, loader):
    opt = Logging(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()  # <- missing-zero-grad
# === one of its own that clears nothing
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.data.sub_(group["lr"] * p.grad.sign())


def train(net, loader):
    opt = Signs(net.parameters())
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()  # <- missing-zero-grad
# === one of its own that clears where it is told to
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None, clears=False):
        for group in self.param_groups:
            for p in group["params"]:
                p.sub_(group["lr"] * p.grad.sign())
        if clears:
            self.zero_grad()


def train(net, loader):
    opt = Signs(net.parameters())
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()  # <- missing-zero-grad
# === one that adapts clears what it has used
import torch
from torch import nn


class Adaptation:
    def __init__(self, module, rate=0.1):
        self.module, self.rate = module, rate

    def step(self):
        for name, param in list(self.module.named_parameters()):
            if param.grad is not None:
                self.module._parameters[name] = param.add(param.grad, alpha=-self.rate)

    def clear(self):
        for param in self.module.parameters():
            param.grad = None


def train(net, tasks, accum=3):
    opt, adaptation = torch.optim.SGD(net.parameters(), lr=0.1), Adaptation(net)
    for i, (x, y) in enumerate(tasks):
        loss = nn.functional.mse_loss(net(x), y) / accum
        adaptation.clear()
        loss.backward()
        adaptation.step()
        if (i + 1) % accum == 0 or i + 1 == len(tasks):
            opt.step()
# === a wrapper around one of torch's clears within the window
import torch
from torch import nn


class Wrapped:
    def __init__(self, module, rate=0.1):
        self.module, self.optimizer = module, torch.optim.SGD(module.parameters(), lr=rate)

    def step(self):
        self.optimizer.step()

    def clear(self):
        for param in self.module.parameters():
            param.grad = None


def train(net, tasks, accum=3):
    opt = Wrapped(net)
    for i, (x, y) in enumerate(tasks):
        loss = nn.functional.mse_loss(net(x), y) / accum
        opt.clear()  # <- zero-grad-in-accumulation
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(tasks):
            opt.step()
# === one of the file's own reads gradients under a name, decays them in place, and clears nothing
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, decay=0.01):
        super().__init__(params, {"lr": lr, "decay": decay})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                grad.add_(p.data, alpha=group["decay"])
                p.data.add_(grad.sign(), alpha=-group["lr"])


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()  # <- missing-zero-grad
# === one of the file's own clips in its step, where it is asked to
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, most=1.0):
        super().__init__(params, {"lr": lr, "most": most})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                if group["most"] > 0:
                    nn.utils.clip_grad_norm_(p, group["most"])
                p.data.add_(grad.sign(), alpha=-group["lr"])


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()  # <- missing-zero-grad
# === one of the file's own reads gradients under a name, and clears them there
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                p.data.add_(grad.sign(), alpha=-group["lr"])
                grad.zero_()


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
# === one of the file's own takes the gradients away when it has used them
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad
                p.add_(grad.sign(), alpha=-group["lr"])
                p.grad = None


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
# === one of the file's own clips by a method of its own, which clears as well
import torch
from torch import nn


class Signs(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    def finish(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad.zero_()

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad.data
                p.data.add_(grad.sign(), alpha=-group["lr"])
        self.finish()


def train(net, loader):
    opt = Signs(net.parameters(), lr=3e-3)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
