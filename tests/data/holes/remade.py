# === a factory of another file makes an optimizer for each fold
import torch
import torch.nn.functional as F
from build import get_optimizer


def train(model, loader, config):
    for fold in range(5):
        optimizer = get_optimizer(model, config)
        for epoch in range(config.epochs):
            for i, (x, y) in enumerate(loader):
                (F.mse_loss(model(x), y) / config.accum).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
                if (i + 1) % config.accum == 0:  # <- dropped-accumulation-tail
                    optimizer.step()
                    optimizer.zero_grad()
# === a class of another file makes an optimizer for each fold
import torch
import torch.nn.functional as F
from build import PriorDecay


def train(model, loader, config):
    for fold in range(5):
        optimizer = PriorDecay(model.parameters(), config.lr)
        for epoch in range(config.epochs):
            for i, (x, y) in enumerate(loader):
                (F.mse_loss(model(x), y) / config.accum).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
                if (i + 1) % config.accum == 0:  # <- dropped-accumulation-tail
                    optimizer.step()
                    optimizer.zero_grad()
# === right: a factory of another file makes an optimizer for each fold
import torch
import torch.nn.functional as F
from build import get_optimizer


def train(model, loader, config):
    for fold in range(5):
        optimizer = get_optimizer(model, config)
        for epoch in range(config.epochs):
            for i, (x, y) in enumerate(loader):
                (F.mse_loss(model(x), y) / config.accum).backward()
                if (i + 1) % config.accum == 0 or i + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
# === settings that a path is joined for, and the factory that gets them
import os

import torch
import torch.nn.functional as F
from build import get_optimizer
from tools import load_config


def train(model, loader):
    config = load_config(os.path.join("configs", "base.yaml"))
    optimizer = get_optimizer(model, config)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / config.accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if (i + 1) % config.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === the same settings, and a factory that gets the parameters
import os

import torch
import torch.nn.functional as F
from build import get_optimizer
from tools import load_config


def train(model, loader):
    config = load_config(os.path.join("configs", "base.yaml"))
    optimizer = get_optimizer(model.parameters(), config)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / config.accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if (i + 1) % config.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: settings that a path is joined for
import os

import torch
import torch.nn.functional as F
from build import get_optimizer
from tools import load_config


def train(model, loader):
    config = load_config(os.path.join("configs", "base.yaml"))
    optimizer = get_optimizer(model, config)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / config.accum).backward()
        if (i + 1) % config.accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
