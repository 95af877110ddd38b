# === one scaler for each optimizer, and one of them is updated
import torch
import torch.nn.functional as F


def train(gen, disc, loader):
    opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    scaler_g, scaler_d = torch.amp.GradScaler("cuda"), torch.amp.GradScaler("cuda")
    for x, z in loader:
        opt_d.zero_grad()
        with torch.autocast("cuda"):
            loss_d = F.softplus(-disc(x)).mean() + F.softplus(disc(gen(z).detach())).mean()
        scaler_d.scale(loss_d).backward()
        scaler_d.step(opt_d)  # <- missing-scaler-update
        opt_g.zero_grad()
        with torch.autocast("cuda"):
            loss_g = F.softplus(-disc(gen(z))).mean()
        scaler_g.scale(loss_g).backward()
        scaler_g.step(opt_g)
        scaler_g.update()
# === right: each is updated
import torch
import torch.nn.functional as F


def train(gen, disc, loader):
    opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    scaler_g, scaler_d = torch.amp.GradScaler("cuda"), torch.amp.GradScaler("cuda")
    for x, z in loader:
        opt_d.zero_grad()
        with torch.autocast("cuda"):
            loss_d = F.softplus(-disc(x)).mean() + F.softplus(disc(gen(z).detach())).mean()
        scaler_d.scale(loss_d).backward()
        scaler_d.step(opt_d)
        scaler_d.update()
        opt_g.zero_grad()
        with torch.autocast("cuda"):
            loss_g = F.softplus(-disc(gen(z))).mean()
        scaler_g.scale(loss_g).backward()
        scaler_g.step(opt_g)
        scaler_g.update()
# === right: one scaler for both, updated once
import torch
import torch.nn.functional as F


def train(gen, disc, loader):
    opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, z in loader:
        opt_d.zero_grad()
        with torch.autocast("cuda"):
            loss_d = F.softplus(-disc(x)).mean() + F.softplus(disc(gen(z).detach())).mean()
        scaler.scale(loss_d).backward()
        scaler.step(opt_d)
        opt_g.zero_grad()
        with torch.autocast("cuda"):
            loss_g = F.softplus(-disc(gen(z))).mean()
        scaler.scale(loss_g).backward()
        scaler.step(opt_g)
        scaler.update()
# === right: the backward begins with a scaled gradient
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        factor = scaler.scale(torch.ones(()))
        loss.backward(factor)
        scaler.step(optimizer)
        scaler.update()
# === the backward begins with a gradient of one
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        loss.backward(torch.ones(()))  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
# === right: one scaler, two optimizers in a dictionary
import torch
import torch.nn.functional as F


class Both:
    def __init__(self, model):
        self.opts = {
            "tables": torch.optim.Adagrad(model.tables(), lr=0.1),
            "mlp": torch.optim.Adam(model.mlp.parameters(), lr=3e-3),
        }
        self.scaler = torch.amp.GradScaler()

    def apply(self, loss):
        for o in self.opts.values():
            o.zero_grad()
        self.scaler.scale(loss).backward()
        for o in self.opts.values():
            self.scaler.unscale_(o)
            torch.nn.utils.clip_grad_norm_([p for g in o.param_groups for p in g["params"]], 1.0)
        for o in self.opts.values():
            self.scaler.step(o)
        self.scaler.update()


def main(model, loader):
    both = Both(model)
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(model(x), y)
        both.apply(loss)
# === right: what a function does with a scaler is said with each call
import torch


class Scaler:
    def __init__(self):
        self.real = torch.amp.GradScaler("cuda")

    def call(self, what, optimizer, loss):
        if what == "backward":
            self.real.scale(loss).backward()
        elif what == "unscale":
            self.real.unscale_(optimizer)
        elif what == "step":
            self.real.step(optimizer)
        elif what == "update":
            self.real.update()
# === a function that is told what to do with a scaler, and unscales twice
import torch


class Scaler:
    def __init__(self):
        self.real = torch.amp.GradScaler("cuda")

    def call(self, what, model, optimizer, loss):
        if what == "backward":
            self.real.scale(loss).backward()
        elif what == "step":
            self.real.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            self.real.unscale_(optimizer)  # <- double-unscale
            self.real.step(optimizer)
            self.real.update()
# === a step function that unscales with each micro-batch, for a window that its caller counts
import torch


class Trainer:
    def __init__(self, model, accum):
        self.model, self.accum = model, accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def training_step(self, number, x, y):
        with torch.autocast("cuda"):
            loss = torch.nn.functional.cross_entropy(self.model(x), y) / self.accum
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)  # <- double-unscale
        if (number + 1) % self.accum == 0:
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad()
# === right: one of two methods is chosen by a name, and only one of them goes over batches
import torch


class Stage:
    def __call__(self, loader):
        for batch in loader:
            self.net(batch).backward()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def unscale(self, optimizer):
        self.scaler.unscale_(optimizer)

    def finish(self, optimizer):
        self.scaler.step(optimizer)

    def train(self, name, batches, parts):
        do = self.unscale if name == "unscale" else self.finish
        for batch in batches:
            self.optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(self.model(batch.x), batch.y)
            self.scaler.scale(loss).backward()
            for _ in parts.named:
                do(self.optimizer)
            if name == "unscale":
                self.finish(self.optimizer)
            self.scaler.update()
# === one of two methods is chosen by a name, and each goes over a batch again
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def unscale(self, optimizer):
        self.scaler.unscale_(optimizer)  # <- double-unscale

    def finish(self, optimizer):
        self.scaler.step(optimizer)

    def train(self, name, batches):
        do = self.unscale if name == "unscale" else self.finish
        for batch in batches:
            self.optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(self.model(batch.x), batch.y)
            self.scaler.scale(loss).backward()
            do(self.optimizer)
            if name == "unscale":
                self.unscale(self.optimizer)
                self.finish(self.optimizer)
            self.scaler.update()
