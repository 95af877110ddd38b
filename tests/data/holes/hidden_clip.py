# === a clip beside the zero that hides it, under accumulate
from accelerate import Accelerator


def train(model, loader, optimizer, scheduler, criterion, accelerator: Accelerator, limit=None):
    for x, y in loader:
        with accelerator.accumulate(model):
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            loss = criterion(model(x), y)
            accelerator.backward(loss)
            if limit is not None:
                accelerator.clip_grad_norm_(model.parameters(), limit)  # <- clip-per-micro-batch
            optimizer.step()
            scheduler.step()
# === a clip beside the zero that hides it, by hand
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
# === a clip of scaled gradients beside the zero, in a class
import torch
import torch.nn.functional as F


class Loop:
    def __init__(self, net, window):
        self.net, self.window = net, window
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-3)

    def epoch(self, loader):
        for i, (x, y) in enumerate(loader, 1):
            self.net.zero_grad()  # <- zero-grad-in-accumulation
            loss = F.cross_entropy(self.net(x), y) / self.window
            loss.backward()
            torch.nn.utils.clip_grad_value_(self.net.parameters(), 0.5)  # <- clip-per-micro-batch
            if i % self.window == 0 or i == len(loader):
                self.opt.step()
# === only the zero is wrong: the clip asks where the window ends
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
# === only the zero is wrong: the clip asks for sync_gradients
from accelerate import Accelerator


def train(model, loader, optimizer, criterion, accelerator: Accelerator):
    for x, y in loader:
        with accelerator.accumulate(model):
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            accelerator.backward(criterion(model(x), y))
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
# === right: the clip asks for sync_gradients
from accelerate import Accelerator


def train(model, loader, optimizer, criterion, accelerator: Accelerator):
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(criterion(model(x), y))
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
# === right: every batch has its own update
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (i + 1) % accum == 0:
            print(i)
# === right: the gradients of the attack are clipped and cleared, the loss comes after
import torch
import torch.nn.functional as F


def attack(model, x, y):
    noise = torch.zeros_like(x, requires_grad=True)
    F.cross_entropy(model(x + noise), y).backward()
    found = noise.grad.sign()
    model.zero_grad()
    return x + 0.1 * found


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        bad = attack(model, x, y)
        F.cross_entropy(model(bad), y).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
