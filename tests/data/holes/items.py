# === all in a dictionary that another file makes, undivided
import torch.nn.functional as F

from project import build


def train(cfg, loader):
    held = build(cfg, loader)
    held["model"].train()
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(held["model"](x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
            held["optimizer"].step()
            held["scheduler"].step()
            held["optimizer"].zero_grad()
# === right: all in a dictionary that another file makes, divided
import torch.nn.functional as F

from project import build


def train(cfg, loader):
    held = build(cfg, loader)
    held["model"].train()
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(held["model"](x), y) / cfg.accum
        loss.backward()
        if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
            held["optimizer"].step()
            held["scheduler"].step()
            held["optimizer"].zero_grad()
# === right: a schedule in a dictionary, of which nobody knows how long it is
import torch.nn.functional as F

from project import build


def train(cfg, model, loader):
    held = build(cfg, model)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / cfg.accum).backward()
        if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
            held["optimizer"].step()
            held["optimizer"].zero_grad()
        held["scheduler"].step()
# === a schedule in a dictionary, moved for each micro-batch
import torch
import torch.nn.functional as F

from project import build


def train(cfg, model, loader):
    held = build(cfg, model)
    held["scheduler"] = torch.optim.lr_scheduler.LinearLR(held["optimizer"], total_iters=cfg.updates)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / cfg.accum).backward()
        if (i + 1) % cfg.accum == 0 or i + 1 == len(loader):
            held["optimizer"].step()
            held["optimizer"].zero_grad()
        held["scheduler"].step()  # <- scheduler-per-micro-batch
# === right: two networks and their optimizers in one dictionary
import torch.nn.functional as F

from project import build


def train(cfg, loader):
    held = build(cfg)
    for x, noise in loader:
        held["optimizer_D"].zero_grad()
        fake = held["generator"](noise)
        loss_D = F.softplus(held["discriminator"](fake.detach())).mean() + F.softplus(-held["discriminator"](x)).mean()
        loss_D.backward()
        held["optimizer_D"].step()
        held["optimizer_G"].zero_grad()
        loss_G = F.softplus(-held["discriminator"](fake)).mean()
        loss_G.backward()
        held["optimizer_G"].step()
        held["scheduler_D"].step()
        held["scheduler_G"].step()
# === right: a checkpoint has the same names, and holds none of them
import torch
import torch.nn.functional as F


def train(path, model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters())
    saved = torch.load(path)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a scaler steps what a dictionary holds, clipped while scaled
import torch
import torch.nn.functional as F

from project import build


def train(cfg, loader):
    held = build(cfg)
    scaler = torch.amp.GradScaler()
    held["model"].train()
    for x, y in loader:
        held["optimizer"].zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(held["model"](x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(held["model"].parameters(), cfg.clip)  # <- clip-scaled-gradients
        scaler.step(held["optimizer"])
        scaler.update()
        held["scheduler"].step()
# === right: a scaler steps what a dictionary holds
import torch
import torch.nn.functional as F

from project import build


def train(cfg, loader):
    held = build(cfg)
    scaler = torch.amp.GradScaler()
    held["model"].train()
    for x, y in loader:
        held["optimizer"].zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(held["model"](x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(held["optimizer"])
        torch.nn.utils.clip_grad_norm_(held["model"].parameters(), cfg.clip)
        scaler.step(held["optimizer"])
        scaler.update()
        held["scheduler"].step()
# === a trainer keeps what its keywords hold, clip of scaled gradients
import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self, *args, **kwargs):
        self.args = kwargs["args"]
        self.model = kwargs["model"].to(self.args.device)
        self.optimizer = kwargs["optimizer"]
        self.criterion = torch.nn.CrossEntropyLoss().to(self.args.device)

    def train(self, loader):
        scaler = GradScaler()
        for x, y in loader:
            with torch.autocast("cuda"):
                loss = self.criterion(self.model(x), y)
            scaler.scale(loss).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-scaled-gradients
            scaler.step(self.optimizer)
            scaler.update()
            self.optimizer.zero_grad()
# === right: a trainer keeps what its keywords hold
import torch


class Trainer:
    def __init__(self, **kwargs):
        self.model, self.loader = kwargs["model"], kwargs["loader"]
        self.optimizer = kwargs["optimizer"]
        self.scheduler = kwargs["scheduler"]

    def train(self, epochs):
        for _ in range(epochs):
            for x, y in self.loader:
                self.optimizer.zero_grad()
                torch.nn.functional.cross_entropy(self.model(x), y).backward()
                self.optimizer.step()
            self.scheduler.step()
# === a dictionary is unpacked into variables, undivided
import torch.nn.functional as F


def train(parts, loader, accum):
    model = parts["model"]
    optimizer = parts["optimizer"]
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the optimizer's name and state in a dictionary are no optimizer
import torch
import torch.nn.functional as F


def train(config, checkpoint, model, loader):
    kind = config["optimizer"]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if kind == "adam":
        optimizer = torch.optim.Adam(model.parameters())
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.load_state_dict(checkpoint["model"])
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
# === parameters of several networks come from one generator, which is used up
import torch
from torch import nn

body, head = nn.Linear(3, 8), nn.Linear(8, 1)
weights = (p for net in (body, head) for p in net.parameters())
optimizer = torch.optim.Adam(weights, lr=4e-3)
for _ in range(25):
    optimizer.zero_grad()
    head(body(torch.randn(10, 3)).tanh()).abs().mean().backward()
    torch.nn.utils.clip_grad_norm_(weights, 0.25)  # <- clip-exhausted-parameters
    optimizer.step()
# === right: parameters of several networks are kept in one list
import torch
from torch import nn

body, head = nn.Linear(3, 8), nn.Linear(8, 1)
weights = [p for net in (body, head) for p in net.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(weights, lr=4e-3)
for _ in range(25):
    optimizer.zero_grad()
    head(body(torch.randn(10, 3)).tanh()).abs().mean().backward()
    torch.nn.utils.clip_grad_norm_(weights, 0.25)
    optimizer.step()
# === an optimizer that owns the nested parameters of both, of which one clears too early
import torch
from torch import nn

body, head = nn.Linear(3, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([p for net in [body, head] for p in net.parameters()], lr=4e-3)
for _ in range(25):
    loss = head(body(torch.randn(10, 3)).tanh()).abs().mean()
    loss.backward()
    optimizer.zero_grad()  # <- zero-grad-before-step
    optimizer.step()
