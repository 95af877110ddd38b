# === a scale in tokens multiplies the loss: its last number is no window
import torch
from torch.nn.functional import cross_entropy


def step(model, optimizer, batch, length, size, accum=4):
    optimizer.zero_grad()
    scale = length * size * accum / 4096
    for part in torch.split(batch, size):
        loss = cross_entropy(model(part), part)
        (loss * scale).backward()
    optimizer.step()


def train(model, optimizer, loader, length, size):
    for batch in loader:
        step(model, optimizer, batch, length, size)
# === the window divides beside a weight
from torch.nn.functional import cross_entropy


def train(model, optimizer, loader, weight):
    for n, (x, y) in enumerate(loader, 1):
        loss = cross_entropy(model(x), y) * weight / 4
        loss.backward()
        if n % 4 == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === another number than the window divides beside a weight
from torch.nn.functional import cross_entropy


def train(model, optimizer, loader, weight):
    for n, (x, y) in enumerate(loader, 1):
        loss = cross_entropy(model(x), y) * weight / 8
        loss.backward()  # <- accumulation-divisor-mismatch
        if n % 4 == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
