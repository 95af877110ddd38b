# === right: what is made of a scaled gradient is scaled, in pieces, too
import torch
from torch import nn


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.no_grad():
            out = net(x)
        out.requires_grad_()
        scaler.scale(nn.functional.mse_loss(out, y)).backward()
        opt.zero_grad()
        for piece, grad in zip(x.split(4), out.grad.split(4)):
            (net(piece) * grad).sum().backward()
        scaler.step(opt)
        scaler.update()
# === right: in pieces of both sides
import torch
from torch import nn

CHUNK = 8


def embed(net, pieces):
    with torch.no_grad():
        return torch.cat([net(piece) for piece in pieces]).requires_grad_()


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for left, right in loader:
        left, right = left.split(CHUNK), right.split(CHUNK)
        a, b = embed(net, left), embed(net, right)
        scaler.scale(nn.functional.cosine_embedding_loss(a, b, torch.ones(len(a)))).backward()
        opt.zero_grad()
        for pieces, cached in ((left, a.grad.split(CHUNK)), (right, b.grad.split(CHUNK))):
            for piece, grad in zip(pieces, cached):
                surrogate = (net(piece) * grad).sum()
                surrogate.backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        scaler.step(opt)
        scaler.update()
# === a gradient that nothing has scaled, in pieces
import torch
from torch import nn


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.no_grad():
            out = net(x)
        out.requires_grad_()
        nn.functional.mse_loss(out, y).backward()
        opt.zero_grad()
        for piece, grad in zip(x.split(4), out.grad.split(4)):
            (net(piece) * grad).sum().backward()  # <- unscaled-backward
        scaler.step(opt)
        scaler.update()
