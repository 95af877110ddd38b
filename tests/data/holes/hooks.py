# === a hook behind the step clips
import torch
import torch.nn.functional as F
from torch import nn


def limit(max_norm):
    def hook(optimizer, args, kwargs):
        params = [p for group in optimizer.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(params, max_norm)

    return hook


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.register_step_post_hook(limit(1.0))
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()  # <- clip-after-step
# === right: a hook before the step clips
import torch
import torch.nn.functional as F
from torch import nn


def limit(max_norm):
    def hook(optimizer, args, kwargs):
        params = [p for group in optimizer.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(params, max_norm)

    return hook


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.register_step_pre_hook(limit(1.0))
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
# === right: a scaler has divided before the hook clips
import torch
import torch.nn.functional as F
from torch import nn


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.register_step_pre_hook(lambda *_: nn.utils.clip_grad_norm_(model.parameters(), 1.0))
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: a hook behind the step clears
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.register_step_post_hook(lambda *_: optimizer.zero_grad())
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
# === right: a hook of each parameter divides by the window
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for p in model.parameters():
        p.register_hook(lambda g: g / 3)
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if i % 3 == 2:
            optimizer.step()
            optimizer.zero_grad()
# === a hook of each parameter only looks
import torch
import torch.nn.functional as F


def train(model, loader, seen):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for p in model.parameters():
        p.register_hook(lambda g: seen.append(g.norm()))
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if i % 3 == 2:
            optimizer.step()
            optimizer.zero_grad()
# === right: a hook damps a part of the network
import torch
import torch.nn.functional as F


def train(model, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for p in model.backbone.parameters():
        p.register_hook(lambda g: g * 0.1)
    for i, (x, y) in enumerate(loader, 1):
        (F.cross_entropy(model(x), y) / accum).backward()
        if i % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === an optimizer that has no hooks is not asked to do what they do
import torch
from torch import nn

from elsewhere import make_optimizer


class Trainer:
    def __init__(self, network, settings):
        self.network = network
        self.settings = settings
        self.optimizer = make_optimizer(network, settings)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(self.network(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.settings.window == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
                if hasattr(self.optimizer, "on_step"):
                    self.optimizer.on_step(self)
        self.optimizer.step()
        self.optimizer.zero_grad()
# === an optimizer of one's own that has them is
import torch
from torch import nn


class Mean(torch.optim.SGD):
    def on_step(self, trainer):
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad /= trainer.window


class Trainer:
    def __init__(self, network, window):
        self.network = network
        self.window = window
        self.optimizer = Mean(network.parameters(), lr=0.1)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(self.network(x), y)
            loss.backward()
            if (i + 1) % self.window == 0:
                if hasattr(self.optimizer, "on_step"):
                    self.optimizer.on_step(self)
                self.optimizer.step()
                self.optimizer.zero_grad()
        self.optimizer.step()
        self.optimizer.zero_grad()
