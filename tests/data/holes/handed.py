# === an optimizer handed over under a name that says nothing
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer_or_lr):
        self.model = model
        self.optimizer_or_lr = optimizer_or_lr

    def train(self, loader, accum):
        opt = self.optimizer_or_lr
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
# === right: an optimizer handed over under a name that says nothing
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer_or_lr):
        self.model = model
        self.optimizer_or_lr = optimizer_or_lr

    def train(self, loader, accum):
        opt = self.optimizer_or_lr
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y) / accum
            loss.backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
# === what the scaler steps is an optimizer
import torch
import torch.nn.functional as F

scaler = torch.amp.GradScaler()


def train(model, state, loader):
    for x, y in loader:
        inner = state.inner
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(inner)
        scaler.update()
        model.zero_grad()
# === right: what the scaler steps is an optimizer
import torch
import torch.nn.functional as F

scaler = torch.amp.GradScaler()


def train(model, state, loader):
    for x, y in loader:
        inner = state.inner
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(inner)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(inner)
        scaler.update()
        model.zero_grad()
# === right: a simulation that steps is no optimizer
import torch.nn.functional as F


def rollout(agent, world, optimizer, accum):
    env = world.current
    for i in range(1000):
        x, y = env.step(agent.act())
        loss = F.cross_entropy(agent(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
