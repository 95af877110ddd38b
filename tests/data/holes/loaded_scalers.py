# === right: a scaler that a checkpoint has brought steps and is updated where it has unscaled
import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self, model, path):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = GradScaler()
        if path:
            state = torch.load(path)
            self.scaler = state["scaler"]

    def fit(self, loader, limit):
        for x, y in loader:
            self.scaler.scale(self.model(x, y)).backward()
            if limit > 0:
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad()
# === it is unscaled at each micro-batch, and updated at the last
import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self, model, path):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = GradScaler()
        if path:
            state = torch.load(path)
            self.scaler = state["scaler"]

    def fit(self, loader, limit, accum):
        self.optimizer.zero_grad()
        for number, (x, y) in enumerate(loader):
            self.scaler.scale(self.model(x, y) / accum).backward()
            self.scaler.unscale_(self.optimizer)  # <- double-unscale
            if (number + 1) % accum == 0 or number + 1 == len(loader):
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
# === right: another kind of scaler fits and inverts, and what is loaded is none of torch's
import torch


class Trainer:
    def __init__(self, model, path):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        state = torch.load(path)
        self.scaler = state["scaler"]

    def fit(self, loader):
        for x, y in loader:
            loss = self.model(self.scaler.transform(x), y).mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
