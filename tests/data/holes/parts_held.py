"""A network that holds one made elsewhere: who trains that one alone puts only that one back."""

# === right: the decoder that is trained goes back, in the wrapper that it was given
import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self, backbone, decoder):
        super().__init__()
        self.backbone, self.decoder = backbone, decoder

    def forward(self, x):
        return self.decoder(self.backbone(x))


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


class Trainer:
    def __init__(self, whole, opt):
        self.whole, self.opt = whole, opt

    def learn(self, x, y):
        self.opt.zero_grad()
        F.mse_loss(self.whole(x), y).backward()
        self.opt.step()

    def validate(self, held):
        self.whole.eval()
        with torch.no_grad():
            print(sum(F.mse_loss(self.whole(x), y) for x, y in held))
        self.whole.decoder.train()


def main(backbone, decoder, loader, held, rank):
    whole = Whole(backbone, decoder)
    whole.train()
    opt = torch.optim.SGD(whole.decoder.parameters(), lr=0.1)
    whole.decoder = DDP(whole.decoder, device_ids=[rank])
    trainer = Trainer(whole, opt)
    for step, (x, y) in enumerate(loader):
        trainer.learn(x, y)
        if step % 100 == 0:
            trainer.validate(held)
# === nothing of it goes back
import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self, backbone, decoder):
        super().__init__()
        self.backbone, self.decoder = backbone, decoder

    def forward(self, x):
        return self.decoder(self.backbone(x))


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


class Trainer:
    def __init__(self, whole, opt):
        self.whole, self.opt = whole, opt

    def learn(self, x, y):
        self.opt.zero_grad()
        F.mse_loss(self.whole(x), y).backward()
        self.opt.step()

    def validate(self, held):
        self.whole.eval()
        with torch.no_grad():
            print(sum(F.mse_loss(self.whole(x), y) for x, y in held))


def main(backbone, decoder, loader, held, rank):
    whole = Whole(backbone, decoder)
    whole.train()
    opt = torch.optim.SGD(whole.decoder.parameters(), lr=0.1)
    whole.decoder = DDP(whole.decoder, device_ids=[rank])
    trainer = Trainer(whole, opt)
    for step, (x, y) in enumerate(loader):
        trainer.learn(x, y)
        if step % 100 == 0:
            trainer.validate(held)  # <- missing-train-mode
# === another network beside it goes back
import torch
from torch import nn
import torch.nn.functional as F


class Whole(nn.Module):
    def __init__(self, backbone, decoder):
        super().__init__()
        self.backbone, self.decoder = backbone, decoder

    def forward(self, x):
        return self.decoder(self.backbone(x))


class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.line, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.line(x))


def validate(whole, head, held):
    whole.eval()
    head.eval()
    with torch.no_grad():
        print(sum(F.mse_loss(head(whole(x)), y) for x, y in held))
    head.train()


def main(backbone, loader, held, size):
    whole, head = Whole(backbone, Head(size)), Head(size)
    whole.train()
    opt = torch.optim.SGD([*whole.parameters(), *head.parameters()], lr=0.1)
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(head(whole(x)), y).backward()
        opt.step()
        if step % 100 == 0:
            validate(whole, head, held)  # <- missing-train-mode
# === right: the whole goes back
import torch
from torch import nn
import torch.nn.functional as F


class Whole(nn.Module):
    def __init__(self, backbone, decoder):
        super().__init__()
        self.backbone, self.decoder = backbone, decoder

    def forward(self, x):
        return self.decoder(self.backbone(x))


def main(backbone, decoder, loader, held):
    whole = Whole(backbone, decoder)
    opt = torch.optim.SGD(whole.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        whole.train()
        opt.zero_grad()
        F.mse_loss(whole(x), y).backward()
        opt.step()
        if step % 100 == 0:
            whole.eval()
            with torch.no_grad():
                print(sum(F.mse_loss(whole(x), y) for x, y in held))
