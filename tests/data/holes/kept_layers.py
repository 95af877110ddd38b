# === right: a part that was put together of a list of layers is held still
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(8, 8))
        self.style = nn.Sequential(*layers)
        self.body = nn.Linear(8, 8)

    def forward(self, z):
        return self.body(self.style(z))


def train(loader, painter, coder, opt_painter, opt_coder):
    for z in loader:
        loss = (coder(painter(z)) - z).square().mean()
        coder.zero_grad()
        painter.zero_grad()
        loss.backward()
        painter.style.zero_grad()
        opt_coder.step()
        opt_painter.step()


def main(args, loader):
    painter = Painter(args.depth).to("cuda")
    coder = nn.Linear(8, 8)
    opt_painter = torch.optim.Adam(painter.parameters())
    opt_coder = torch.optim.Adam(coder.parameters())
    train(loader, painter, coder, opt_painter, opt_coder)
# === the whole of it is cleared
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(8, 8))
        self.style = nn.Sequential(*layers)
        self.body = nn.Linear(8, 8)

    def forward(self, z):
        return self.body(self.style(z))


def train(loader, painter, coder, opt_painter, opt_coder):
    for z in loader:
        loss = (coder(painter(z)) - z).square().mean()
        coder.zero_grad()
        painter.zero_grad()
        loss.backward()
        painter.zero_grad()  # <- zero-grad-before-step
        opt_coder.step()
        opt_painter.step()


def main(args, loader):
    painter = Painter(args.depth).to("cuda")
    coder = nn.Linear(8, 8)
    opt_painter = torch.optim.Adam(painter.parameters())
    opt_coder = torch.optim.Adam(coder.parameters())
    train(loader, painter, coder, opt_painter, opt_coder)
# === right: the part has an optimizer of its own, and the whole clears what that has used
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(8, 8))
        self.style = nn.Sequential(*layers)
        self.body = nn.Linear(8, 8)

    def forward(self, z):
        return self.body(self.style(z))


def main(args, loader, prior, fit):
    painter = Painter(args.depth).to("cuda")
    opt = torch.optim.Adam(painter.parameters())
    opt_style = torch.optim.Adam(painter.style.parameters())
    for z in loader:
        loss = fit(painter(z))
        opt.zero_grad()
        loss.backward()
        opt.step()
        more = prior(painter(z))
        opt_style.zero_grad()
        more.backward()
        opt_style.step()
# === an optimizer has the part alone, which is cleared
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(8, 8))
        self.style = nn.Sequential(*layers)
        self.body = nn.Linear(8, 8)

    def forward(self, z):
        return self.body(self.style(z))


def main(args, loader, fit):
    painter = Painter(args.depth).to("cuda")
    opt_style = torch.optim.Adam(painter.style.parameters())
    for z in loader:
        loss = fit(painter(z))
        loss.backward()
        painter.style.zero_grad()  # <- zero-grad-before-step
        opt_style.step()
# === right: a part of a network that another loss has moved is cleared before the whole steps
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self):
        super().__init__()
        self.style = nn.Linear(8, 8)
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(self.style(x))


def train(loader, encoder):
    painter = Painter()
    optimizer = torch.optim.Adam([*encoder.parameters(), *painter.parameters()])
    for x in loader:
        encoder.zero_grad()
        painter.zero_grad()
        (painter(encoder(x)) - x).pow(2).mean().backward()
        painter.style.zero_grad()
        optimizer.step()
# === a part of a network is cleared that is all the optimizer has
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self):
        super().__init__()
        self.style = nn.Linear(8, 8)
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(self.style(x))


def train(loader):
    painter = Painter()
    optimizer = torch.optim.Adam(painter.style.parameters())
    for x in loader:
        painter.zero_grad()
        (painter(x) - x).pow(2).mean().backward()
        painter.style.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
