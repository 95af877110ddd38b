# === a copy of an old schedule: its first move sets the first rate
import lr_scheduler as L
import torch


def main(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = L.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === torch's own schedule under the same name
import torch
from torch.optim import lr_scheduler as L


def main(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = L.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === an optimizer that is given a network has books of its own
import numpy as np
from mytorch.models import MLP
from mytorch.nn import CrossEntropyLoss
from mytorch.optim import SGD


def main(x, y, steps):
    model = MLP([3, 16, 4])
    criterion = CrossEntropyLoss()
    optimizer = SGD(model, lr=0.5)
    for _ in range(steps):
        criterion.forward(model.forward(x), y)
        model.backward(criterion.backward())
        optimizer.step()
        print(np.mean(x))
# === an optimizer of another library that is given parameters
import torch
from lion_pytorch import Lion


def main(model, loader):
    optimizer = Lion(model.parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad
# === a schedule that begins behind the warm-up epochs
import torch


def main(model, loader, args):
    optimizer = torch.optim.Adamax(model.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs - args.warmup_epochs - 1)
    for epoch in range(args.epochs):
        if epoch > args.warmup_epochs:
            scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === a schedule that begins with the first epoch where there is no warm-up
import torch


def main(model, loader, args):
    optimizer = torch.optim.Adamax(model.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    for epoch in range(args.epochs):
        if epoch >= args.warmup_epochs:
            scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === a schedule that begins with the second epoch, in words of a setting
import torch


def train(model, loader, conf, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    epoch = 0
    while epoch < epochs:
        if conf.on_epoch and epoch > 0:
            scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        epoch += 1
# === a warm-up from 0, whose first rate is passed over
import torch
from transformers import get_cosine_schedule_with_warmup


def pretrain(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = get_cosine_schedule_with_warmup(optimizer, 8, 3000)
    for _ in range(epochs):
        scheduler.step()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === no warm-up, and the first rate is passed over
import torch
from transformers import get_cosine_schedule_with_warmup


def pretrain(model, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = get_cosine_schedule_with_warmup(optimizer, 0, 3000)
    for _ in range(epochs):
        scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
# === a schedule that moves first wherever a setting about epochs says so
import torch


def train(model, loader, num_epoch, warm_epoch):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for _ in range(num_epoch):
        if warm_epoch > 5:
            scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
