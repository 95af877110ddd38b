# === counter below window continues, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    count = 0
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        count += 1
        if count < accum:  # <- dropped-accumulation-tail
            continue
        optimizer.step()
        optimizer.zero_grad()
        count = 0
# === modulus not zero continues, zero before backward
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    micro = 0
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.cross_entropy(model(x), y) / accum).backward()
            micro += 1
            if micro % accum != 0:
                continue
            optimizer.step()
# === counter counted down, clip per micro-batch
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    left = accum
    for x, y in loader:
        (F.mse_loss(model(x), y) / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        left -= 1
        if left > 0:  # <- dropped-accumulation-tail
            continue
        optimizer.step()
        optimizer.zero_grad()
        left = accum
# === attribute, not yet, scheduler behind neither
import torch


class Runner:
    def __init__(self, model, every):
        self.model = model
        self.every = every
        self.pending = 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run(self, loader):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(self.model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            self.pending += 1
            if self.pending != self.every:
                continue
            self.pending = 0
            self.optimizer.step()
            self.optimizer.zero_grad()
# === index inverted off by one
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / 4).backward()
        if i % 4 != 0:  # <- accumulation-off-by-one
            continue
        optimizer.step()
        optimizer.zero_grad()
# === helper says whether to wait
import torch
import torch.nn.functional as F


def wait(i, accum, total):
    return (i + 1) % accum != 0 and i + 1 != total


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if wait(i, accum, len(loader)):
            continue
        optimizer.step()
        optimizer.zero_grad()
# === right: counter below window continues
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    count = 0
    for epoch in range(5):
        for x, y in loader:
            (F.cross_entropy(model(x), y) / accum).backward()
            count += 1
            if count < accum:
                continue
            optimizer.step()
            optimizer.zero_grad()
            count = 0
        if count:
            optimizer.step()
            optimizer.zero_grad()
            count = 0
# === right: counted down
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    left = accum
    for x, y in loader:
        (F.mse_loss(model(x), y) / accum).backward()
        left -= 1
        if left > 0:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        left = accum
    if left < accum:
        optimizer.step()
        optimizer.zero_grad()
# === right: warm-up steps are skipped, no window
import torch
import torch.nn.functional as F


def learn(policy, buffer, optimizer, start, total):
    count = 0
    for step in range(total):
        buffer.collect()
        count += 1
        if count < start:
            continue
        x, y = buffer.sample()
        loss = F.mse_loss(policy(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === a method returns while it waits
import torch
import torch.nn.functional as F


class Stepper:
    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.calls = 0

    def __call__(self, loss):
        loss.backward()  # <- unscaled-accumulation-loss
        self.calls += 1
        if self.calls % self.every:
            return
        self.optimizer.step()
        self.optimizer.zero_grad()


def train(model, loader, lr, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    stepper = Stepper(optimizer, every)
    for epoch in range(3):
        for x, y in loader:
            stepper(F.cross_entropy(model(x), y))
# === counted down in an attribute
import torch
import torch.nn.functional as F


class Loop:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.remaining = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def batch(self, x, y):
        F.cross_entropy(self.model(x), y).backward()  # <- unscaled-accumulation-loss
        self.remaining -= 1
        if self.remaining == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.remaining = self.accum

    def fit(self, loader):
        for epoch in range(2):
            for x, y in loader:
                self.batch(x, y)
# === counted down, asked by itself
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    while True:
        left = args.every
        for x, y in loader:
            if left == args.every:
                optimizer.zero_grad()
            left -= 1
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if not left:
                optimizer.step()
                left = args.every
        if left < args.every:
            optimizer.step()
# === counted down, waits for as long as something is left
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    left = args.every
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        left -= 1
        if left:  # <- dropped-accumulation-tail
            continue
        optimizer.step()
        optimizer.zero_grad()
        left = args.every
# === counted down, called like a limit, and set anew with each step
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    while True:
        left_epochs = args.update_epochs
        for x, y in loader:
            if left_epochs == args.update_epochs:
                optimizer.zero_grad()
            left_epochs -= 1
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if not left_epochs:
                optimizer.step()
                left_epochs = args.update_epochs
        if left_epochs < args.update_epochs:
            optimizer.step()
# === right: counted down, asked by itself, and divided
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    while True:
        left = args.every
        for x, y in loader:
            if left == args.every:
                optimizer.zero_grad()
            left -= 1
            loss = F.cross_entropy(model(x), y)
            (loss / args.every).backward()
            if not left:
                optimizer.step()
                left = args.every
        if left < args.every:
            optimizer.step()
# === right: counted down to an evaluation, each batch is an update
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer, args):
    left = args.every
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        left -= 1
        if left:
            continue
        with torch.no_grad():
            print(F.cross_entropy(model(held_out[0]), held_out[1]).item())
        left = args.every
# === right: counted down to the end, each batch is an update
import torch.nn.functional as F


def train(model, loader, optimizer, args):
    left_epochs = args.epochs
    while True:
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        left_epochs -= 1
        if not left_epochs:
            break
# === right: counted down to a change of rates, each batch is an update
import torch.nn.functional as F


def train(model, loader, optimizer, scheduler, args):
    left = args.warm_steps
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        left -= 1
        if not left:
            scheduler.step()
            left = args.warm_steps
# === right: a second optimizer is stepped where a count has run down
import torch.nn.functional as F


def train(model, critic, loader, optimizer, second, args):
    left = args.every
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        left -= 1
        if not left:
            second.zero_grad()
            F.mse_loss(critic(x), y).backward()
            second.step()
            left = args.every
