# === both towers are asked of what is inside DDP, and a criterion with settings comes behind them
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Linear(16, 4)

    def of_question(self, x):
        return self.tower(x)

    def of_answer(self, x):
        return self.tower(x)


class Contrast(nn.Module):
    def __init__(self, settings):
        super().__init__()
        if not settings.sizes:
            raise ValueError("no sizes")
        self.settings = settings

    def forward(self, a, b):
        scores = a @ b.t() / self.settings.temperature
        return F.cross_entropy(scores, torch.arange(len(a)))


def train(settings, loader, distributed):
    towers = Towers()
    contrast = Contrast(settings)
    if distributed:
        towers = DDP(towers)
    optimizer = torch.optim.AdamW(towers.parameters(), lr=1e-4)
    for question, answer in loader:
        optimizer.zero_grad(set_to_none=True)
        if distributed:
            a, b = towers.module.of_question(question), towers.module.of_answer(answer)
        else:
            a, b = towers.of_question(question), towers.of_answer(answer)
        contrast(a, b).backward()
        optimizer.step()  # <- step-without-sync
# === right: both towers are run by the forward of the whole, and asked one by one to validate
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Linear(16, 4)

    def of_question(self, x):
        return self.tower(x)

    def forward(self, question, answer):
        return self.of_question(question), self.tower(answer)


class Contrast(nn.Module):
    def __init__(self, settings):
        super().__init__()
        if not settings.sizes:
            raise ValueError("no sizes")
        self.settings = settings

    def forward(self, a, b):
        scores = a @ b.t() / self.settings.temperature
        return F.cross_entropy(scores, torch.arange(len(a)))


def train(settings, loader, held_out):
    towers = DDP(Towers())
    contrast = Contrast(settings)
    optimizer = torch.optim.AdamW(towers.parameters(), lr=1e-4)
    for question, answer in loader:
        optimizer.zero_grad(set_to_none=True)
        contrast(*towers(question, answer)).backward()
        optimizer.step()
    towers.eval()
    with torch.no_grad():
        for question, answer in held_out:
            print(contrast(towers.module.of_question(question), towers.module.tower(answer)))
    towers.train()
# === what weighs the losses has parameters of its own, and stays outside of DDP
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Uncertainty(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(1))

    def forward(self, loss):
        return loss * torch.exp(-self.log_var) + self.log_var


def fit(net, loader):
    net = DistributedDataParallel(net)
    weigh = Uncertainty()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        weigh(net.module.energy(x).mean()).backward()
        optimizer.step()  # <- step-without-sync
# === right: a head outside of DDP is all that is trained, on what a network inside DDP says
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        return self.out(x)


def fit(net, loader):
    net = DistributedDataParallel(net)
    head = Head()
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        head(net.module.features(x)).square().mean().backward()
        optimizer.step()
# === right: gradients of both towers are averaged by hand
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Uncertainty(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(1))

    def forward(self, loss):
        return loss * torch.exp(-self.log_var) + self.log_var


def fit(net, loader):
    net = DistributedDataParallel(net)
    weigh = Uncertainty()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        weigh(net.module.energy(x).mean()).backward()
        for p in net.parameters():
            dist.all_reduce(p.grad)
            p.grad /= dist.get_world_size()
        optimizer.step()
# === the layers of a list inside DDP are called one by one, the student through its wrapper
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Distiller:
    def __init__(self, student, depth):
        self.student = DDP(student)
        self.fits = nn.ModuleList()
        for _ in range(depth):
            self.fits.append(nn.Linear(32, 8))
        self.fits = DDP(self.fits)
        wanted = []
        for name, p in self.student.named_parameters():
            if p.requires_grad:
                wanted.append(p)
            else:
                print(name, "is left alone")
        wanted.extend(self.fits.parameters())
        self.optimizer = torch.optim.Adam(wanted, lr=1e-4)

    def run(self, teacher, loader):
        for x in loader:
            self.optimizer.zero_grad()
            with torch.no_grad():
                told = teacher(x)
            layers = self.student(x)
            loss = 0.0
            for i in range(4):
                loss = loss + F.l1_loss(layers[i], self.fits.module[i](told[i]))
            loss.backward()
            self.optimizer.step()  # <- step-without-sync
# === right: the list is inside DataParallel, which all-reduces nothing
import torch
import torch.nn.functional as F
from torch import nn


class Distiller:
    def __init__(self, student, depth):
        self.student = nn.DataParallel(student)
        self.fits = nn.DataParallel(nn.ModuleList([nn.Linear(32, 8) for _ in range(depth)]))
        self.optimizer = torch.optim.Adam([*self.student.parameters(), *self.fits.parameters()], lr=1e-4)

    def run(self, teacher, loader):
        for x in loader:
            self.optimizer.zero_grad()
            with torch.no_grad():
                told = teacher(x)
            layers = self.student(x)
            loss = 0.0
            for i in range(4):
                loss = loss + F.l1_loss(layers[i], self.fits.module[i](told[i]))
            loss.backward()
            self.optimizer.step()
# === right: each of a list is inside a DDP of its own
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def run(student, teacher, loader):
    student = DDP(student)
    fits = nn.ModuleList([DDP(nn.Linear(32, 8)), DDP(nn.Linear(32, 8))])
    optimizer = torch.optim.Adam([*student.parameters(), *fits.parameters()], lr=1e-4)
    for x in loader:
        optimizer.zero_grad()
        with torch.no_grad():
            told = teacher(x)
        layers = student(x)
        loss = F.l1_loss(layers[0], fits[0](told[0])) + F.l1_loss(layers[1], fits[1](told[1]))
        loss.backward()
        optimizer.step()
# === one optimizer has both networks, and one of them goes past its wrapper
import torch
import torch.nn.functional as F
from nets import Decoder, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader):
    encoder, decoder = DDP(Encoder()), DDP(Decoder())
    params = list(encoder.parameters())
    params.extend(decoder.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-4)
    for x, y in loader:
        loss = F.mse_loss(decoder.module.rollout(encoder(x), 20), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # <- step-without-sync
# === right: one optimizer has both, and both go through their wrappers
import torch
import torch.nn.functional as F
from nets import Decoder, Encoder
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader):
    encoder, decoder = DDP(Encoder()), DDP(Decoder())
    params = list(encoder.parameters())
    params.extend(decoder.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-4)
    for x, y in loader:
        loss = F.mse_loss(decoder(encoder(x)), y) + decoder.module.prior(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.save(decoder.module.state_dict(), "decoder.pt")
# === right: the judge goes past its wrapper for the generator, which has the only optimizer of these two
import torch
from nets import Generator, Judge
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader):
    generator, judge = DDP(Generator()), DDP(Judge())
    optimizer = torch.optim.Adam(generator.parameters(), lr=1e-4)
    for z in loader:
        optimizer.zero_grad()
        (-judge.module(generator(z)).mean()).backward()
        optimizer.step()
