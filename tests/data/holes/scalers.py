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
