# === the scaler is updated during the warm-up only
import torch


def train(model, criterion, loader, warm=500):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 500))
    scaler = torch.amp.GradScaler("cuda")
    for n, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # <- missing-scaler-update
        if n < 500:
            scheduler.step()
            scaler.update()


# === the schedule alone ends with the warm-up
import torch


def train(model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 500))
    scaler = torch.amp.GradScaler("cuda")
    for n, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if n < 500:
            scheduler.step()


# === all of the update ends at a limit
import torch


def train(model, criterion, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for n, (x, y) in enumerate(loader):
        if n < 5000:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()


# === gradients are clipped before the group of micro-batches
import torch


class Run:
    def __init__(self, model, stream, accum=4):
        self.model, self.stream, self.accum = model, iter(stream), accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def begin(self):
        self.optimizer.zero_grad()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-before-backward

    def update(self):
        self.begin()
        for _ in range(self.accum):
            x, y = next(self.stream)
            (torch.nn.functional.mse_loss(self.model(x), y) / self.accum).backward()
        self.optimizer.step()

    def run(self, updates):
        for _ in range(updates):
            self.update()


# === gradients are clipped behind the group of micro-batches
import torch


class Run:
    def __init__(self, model, stream, accum=4):
        self.model, self.stream, self.accum = model, iter(stream), accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def end(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def update(self):
        for _ in range(self.accum):
            x, y = next(self.stream)
            (torch.nn.functional.mse_loss(self.model(x), y) / self.accum).backward()
        self.end()

    def run(self, updates):
        for _ in range(updates):
            self.update()
