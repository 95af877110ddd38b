# === norm by hand after the step
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, limit):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        total = sum(float(p.grad.norm()) ** 2 for p in model.parameters() if p.grad is not None) ** 0.5
        scale = limit / (total + 1e-6)
        if scale < 1:
            for p in model.parameters():  # <- clip-after-step
                if p.grad is not None:
                    p.grad.mul_(scale)
# === norm by hand, scaled
import torch
import torch.nn.functional as F


def train(model, loader, max_norm=1.0):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        norms = [p.grad.detach().norm(2) for p in model.parameters() if p.grad is not None]
        total = torch.norm(torch.stack(norms), 2)
        coef = max_norm / (total + 1e-6)
        if coef < 1.0:
            for p in model.parameters():  # <- clip-scaled-gradients
                if p.grad is not None:
                    p.grad.detach().mul_(coef)
        scaler.step(optimizer)
        scaler.update()
# === norm by hand in a helper, clamped factor, after the step
import torch
import torch.nn.functional as F


def scale_gradients(parameters, limit):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = torch.norm(torch.stack([g.norm() for g in grads]))
    factor = torch.clamp(limit / (norm + 1e-6), max=1.0)
    for grad in grads:
        grad.mul_(factor)
    return norm


def train(model, loader, optimizer):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scale_gradients(list(model.parameters()), 1.0)  # <- clip-after-step
# === a class with __call__, after the step
import torch
import torch.nn.functional as F


class GradientClipper:
    def __init__(self, limit):
        self.limit = limit
        self.history = []

    def __call__(self, model):
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), self.limit)
        self.history.append(float(norm))
        return norm


def train(model, loader, optimizer):
    clipper = GradientClipper(5.0)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        clipper(model)  # <- clip-after-step
# === a class with a method, per micro-batch
import torch
import torch.nn.functional as F


class Clip:
    def __init__(self, parameters, limit):
        self.parameters = list(parameters)
        self.limit = limit

    def apply(self):
        if self.limit is None:
            return
        torch.nn.utils.clip_grad_norm_(self.parameters, self.limit)


def train(model, loader, optimizer, accum):
    clip = Clip(model.parameters(), 1.0)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()
        clip.apply()  # <- clip-per-micro-batch
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a class that clips by the history, scaled
import numpy as np
import torch
import torch.nn.functional as F


class AutoClip:
    def __init__(self, percentile=10):
        self.percentile = percentile
        self.norms = []

    def __call__(self, model):
        total = 0.0
        for p in model.parameters():
            if p.grad is not None:
                total += p.grad.data.norm(2).item() ** 2
        self.norms.append(total**0.5)
        limit = np.percentile(self.norms, self.percentile)
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.GradScaler()
    autoclip = AutoClip()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(x), y)).backward()
        autoclip(model)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === clamped by hand, per parameter, scaled
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, scaler, limit):
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model(x), y)).backward()
        for p in model.parameters():  # <- clip-scaled-gradients
            if p.grad is not None:
                p.grad.data.clamp_(-limit, limit)
        scaler.step(optimizer)
        scaler.update()
# === right: norm by hand before the step
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, limit):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        total = sum(float(p.grad.norm()) ** 2 for p in model.parameters() if p.grad is not None) ** 0.5
        scale = limit / (total + 1e-6)
        if scale < 1:
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.mul_(scale)
        optimizer.step()
# === right: norm by hand, unscaled
import torch
import torch.nn.functional as F


def train(model, loader, max_norm=1.0):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norms = [p.grad.detach().norm(2) for p in model.parameters() if p.grad is not None]
        total = torch.norm(torch.stack(norms), 2)
        coef = max_norm / (total + 1e-6)
        if coef < 1.0:
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.detach().mul_(coef)
        scaler.step(optimizer)
        scaler.update()
# === right: unscaled by hand, no clip
import torch
import torch.nn.functional as F


def train(model, loader, scaler):
    optimizer = torch.optim.AdamW(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        inverse = 1.0 / scaler.get_scale()
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(inverse)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scaler.update()
# === right: gradients divided by hand at the end of a window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.div_(accum)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
# === right: gradients weighed by hand in each micro-batch, no clip
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for x, y, weight in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        for p in model.encoder.parameters():
            p.grad.mul_(0.1)
        optimizer.step()
# === right: a class before the step
import torch
import torch.nn.functional as F


class GradientClipper:
    def __init__(self, limit):
        self.limit = limit
        self.history = []

    def __call__(self, model):
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), self.limit)
        self.history.append(float(norm))
        return norm


def train(model, loader, optimizer):
    clipper = GradientClipper(5.0)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        clipper(model)
        optimizer.step()
# === foreach on the gradients, after the step
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, limit):
    parameters = list(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        grads = [p.grad for p in parameters if p.grad is not None]
        norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(grads)))
        torch._foreach_mul_(grads, torch.clamp(limit / (norm + 1e-6), max=1.0))  # <- clip-after-step
# === right: foreach division by the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    parameters = list(model.parameters())
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            grads = [p.grad for p in parameters if p.grad is not None]
            torch._foreach_div_(grads, accum)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad()
# === norm by hand in a class
import torch
import torch.nn.functional as F


class NormClip:
    def __init__(self, params, limit):
        self.params = [p for p in params if p.requires_grad]
        self.limit = limit

    @torch.no_grad()
    def clip(self):
        grads = [p.grad for p in self.params if p.grad is not None]
        total = torch.norm(torch.stack([torch.norm(g) for g in grads]))
        coef = self.limit / (total + 1e-6)
        if coef < 1:
            for g in grads:
                g.mul_(coef)
        return total


def train(model, loader, optimizer):
    clipper = NormClip(model.parameters(), 1.0)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        clipper.clip()  # <- clip-after-step
