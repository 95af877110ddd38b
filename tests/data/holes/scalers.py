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
