# === function, after step
import torch
import torch.nn.functional as F


def clip(model, limit):
    if limit > 0:
        return torch.nn.utils.clip_grad_norm_(model.parameters(), limit)


def train(model, loader, optimizer, limit):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        clip(model, limit)  # <- clip-after-step
# === function, scaled
import torch
import torch.nn.functional as F


def clip_gradients(parameters, max_norm):
    if max_norm > 0.0:
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    return torch.tensor(0.0)


def train(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            norm = clip_gradients(model.parameters(), args.clip)  # <- clip-scaled-gradients
            scaler.step(optimizer)
            scaler.update()
        print(epoch, float(norm))
# === method, early return, scaled
import torch


class Trainer:
    def __init__(self, net, lr=1e-3, grad_clip=1.0):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr)
        self.scaler = torch.cuda.amp.GradScaler()
        self.grad_clip = grad_clip

    def _clip(self):
        if not self.grad_clip:
            return None
        return torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.grad_clip)

    def fit(self, loader):
        for x, y in loader:
            with torch.cuda.amp.autocast():
                loss = torch.nn.functional.mse_loss(self.net(x), y)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self._clip()  # <- clip-scaled-gradients
            self.scaler.step(self.optimizer)
            self.scaler.update()
# === per micro-batch, none returns
import torch


def maybe_clip(params, max_norm=None):
    if max_norm is None:
        return 0.0
    return float(torch.nn.utils.clip_grad_norm_(params, max_norm))


def run(model, batches, opt, accum, max_norm=1.0):
    for i, (x, y) in enumerate(batches):
        loss = torch.nn.functional.l1_loss(model(x), y) / accum
        loss.backward()
        total = maybe_clip(model.parameters(), max_norm)  # <- clip-per-micro-batch
        if (i + 1) % accum == 0 or i + 1 == len(batches):
            opt.step()
            opt.zero_grad()
    return total
# === conditional expression, after step
import torch
from torch.nn.utils import clip_grad_norm_


def limit_norm(net, value):
    return clip_grad_norm_(net.parameters(), value) if value > 0 else 0.0


def epoch(net, data, optimizer, value):
    for x, y in data:
        loss = (net(x) - y).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        limit_norm(net, value)  # <- clip-after-step
# === own norm in both branches, scaled
import torch


def clip_or_measure(model, limit: float):
    params = [p for p in model.parameters() if p.grad is not None]
    if limit > 0:
        norm = torch.nn.utils.clip_grad_norm_(params, limit)
    else:
        norm = torch.norm(torch.stack([p.grad.norm() for p in params]))
    return norm


def main(model, loader, cfg):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.GradScaler()
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch).mean()).backward()
        grad_norm = clip_or_measure(model, cfg.clip)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
        print(grad_norm)
# === right: function before step
import torch
import torch.nn.functional as F


def clip(model, limit):
    if limit > 0:
        return torch.nn.utils.clip_grad_norm_(model.parameters(), limit)


def train(model, loader, optimizer, limit):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        clip(model, limit)
        optimizer.step()
# === right: function unscaled first
import torch
import torch.nn.functional as F


def clip_gradients(parameters, max_norm):
    if max_norm > 0.0:
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    return torch.tensor(0.0)


def train(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            if args.clip > 0:
                scaler.unscale_(optimizer)
            norm = clip_gradients(model.parameters(), args.clip)
            scaler.step(optimizer)
            scaler.update()
        print(epoch, float(norm))
# === right: unscaled inside the helper
import torch


def clip(scaler, optimizer, model, limit):
    if limit > 0:
        scaler.unscale_(optimizer)
        return torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    return None


def train(model, loader, limit):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.GradScaler()
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch).mean()).backward()
        clip(scaler, optimizer, model, limit)
        scaler.step(optimizer)
        scaler.update()
# === right: per window
import torch


def maybe_clip(params, max_norm=None):
    if max_norm is None:
        return 0.0
    return float(torch.nn.utils.clip_grad_norm_(params, max_norm))


def run(model, batches, opt, accum, max_norm=1.0):
    for i, (x, y) in enumerate(batches):
        loss = torch.nn.functional.l1_loss(model(x), y) / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(batches):
            total = maybe_clip(model.parameters(), max_norm)
            opt.step()
            opt.zero_grad()
    return total
# === right: measured after the step
import torch


def grad_norm(model, limit):
    if limit > 0:
        return torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    return torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        norm = grad_norm(model, 1.0)
        optimizer.step()
        after = grad_norm(model, 0.0)
        print(norm, after)
# === function under a constant, scaled
import torch
import torch.nn.functional as F

CLIP = 1.0


def optimizer_clip(params):
    if CLIP is not None and CLIP > 0:
        return torch.nn.utils.clip_grad_norm_(params, CLIP)
    return None


def train(model, loader, scaler, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        optimizer_clip(model.parameters())  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
