# === the networks of a dictionary are clipped behind the steps
import torch
from torch import nn


class Agent:
    def __init__(self, actor, critic):
        self.nets = nn.ModuleDict({"actor": actor, "critic": critic})
        self.optims = {
            "actor": torch.optim.Adam(self.nets["actor"].parameters()),
            "critic": torch.optim.Adam(self.nets["critic"].parameters()),
        }

    def update(self, loader):
        for x, y in loader:
            losses = {"actor": -self.nets["actor"](x).mean(), "critic": (self.nets["critic"](x) - y).square().mean()}
            for optimizer in self.optims.values():
                optimizer.zero_grad()
            for loss in losses.values():
                loss.backward()
            for optimizer in self.optims.values():
                optimizer.step()
            for name, net in self.nets.items():
                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)  # <- clip-after-step
                print(name, norm)
# === right: they are clipped before the steps
import torch
from torch import nn


class Agent:
    def __init__(self, actor, critic):
        self.nets = nn.ModuleDict({"actor": actor, "critic": critic})
        self.optims = {
            "actor": torch.optim.Adam(self.nets["actor"].parameters()),
            "critic": torch.optim.Adam(self.nets["critic"].parameters()),
        }

    def update(self, loader):
        for x, y in loader:
            losses = {"actor": -self.nets["actor"](x).mean(), "critic": (self.nets["critic"](x) - y).square().mean()}
            for optimizer in self.optims.values():
                optimizer.zero_grad()
            for loss in losses.values():
                loss.backward()
            for name, net in self.nets.items():
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            for optimizer in self.optims.values():
                optimizer.step()
# === a loop of its own leaves micro-batches to the windows of another
import torch.nn.functional as F


def on_labels(model, loader, optimizer, accum=4):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            model.zero_grad()


def on_guesses(model, guesses, loader, optimizer, accum=4, every=50):
    for i, (x, y) in enumerate(guesses):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            model.zero_grad()
        if (i + 1) % every == 0:
            on_labels(model, loader, optimizer, accum)
