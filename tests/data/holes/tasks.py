# === a loss for each task, one after the other, and the window is counted in turns of the loop around them
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, next_loss, tasks, scale, args, iters):
    model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for step in range(iters):
            for task in tasks:
                x, y = next_loss(task)
                loss = torch.nn.functional.mse_loss(model(x), y) * scale[task]
                loss = loss / args.gradient_accumulation_steps
                loss.backward()  # <- missing-no-sync
                if (step + 1) % args.gradient_accumulation_steps == 0:  # <- dropped-accumulation-tail
                    optimizer.step()
                    optimizer.zero_grad()
# === right: the last turn ends a window, too
import torch


def train(model, next_loss, tasks, scale, args, iters):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for step in range(iters):
            for task in tasks:
                x, y = next_loss(task)
                loss = torch.nn.functional.mse_loss(model(x), y) * scale[task]
                loss = loss / args.gradient_accumulation_steps
                loss.backward()
                if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == iters:
                    optimizer.step()
                    optimizer.zero_grad()
# === right: a loop over the batches of a list trains in every second epoch only
import torch


def train(model, batches, order, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for number in order:
            x, y = batches[number]
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            if epoch % 2 == 0:
                optimizer.step()
# === a loop over the chunks of a volume that moves the count its object keeps, and reads its parameters once
import numpy as np
import torch
from torch import nn


class Volumes(nn.Module):
    def __init__(self, head, clip=1.0, every=4):
        super().__init__()
        self.head = head
        self.clip = clip
        self.count = 0
        self.every = every

    def fit(self, chunks, labels, optimizer):
        order = np.random.permutation(len(chunks))
        params = self.parameters()
        for idx in order:
            loss = nn.functional.cross_entropy(self.head(chunks[idx]), labels[idx])
            loss /= self.every
            loss.backward()
            if self.clip > 0:
                torch.nn.utils.clip_grad_norm_(params, self.clip)  # <- clip-exhausted-parameters, clip-per-micro-batch
            self.count += 1
            if self.count % self.every == 0:
                optimizer.step()
                self.zero_grad()
# === right: its parameters are asked for each time, and clipped once for each step
import numpy as np
import torch
from torch import nn


class Volumes(nn.Module):
    def __init__(self, head, clip=1.0, every=4):
        super().__init__()
        self.head = head
        self.clip = clip
        self.count = 0
        self.every = every

    def fit(self, chunks, labels, optimizer):
        order = np.random.permutation(len(chunks))
        for idx in order:
            loss = nn.functional.cross_entropy(self.head(chunks[idx]), labels[idx])
            loss /= self.every
            loss.backward()
            self.count += 1
            if self.count % self.every == 0:
                torch.nn.utils.clip_grad_norm_(self.parameters(), self.clip)
                optimizer.step()
                self.zero_grad()
# === right: a loss for each task, and the turns of the loop around them are counted on the object
import torch


class Trainer:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.step = 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def fit(self, loader, tasks, scale):
        for x, y in loader:
            self.step += 1
            for task in tasks:
                loss = torch.nn.functional.mse_loss(self.model(x), y) * scale[task]
                loss = loss / self.accum
                loss.backward()
            if self.step % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
# === an epoch that hands its number to an evaluation is no task of a batch
import torch


def train(args, model, loader, evaluate):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    epochs = range(args.epochs)
    for epoch in epochs:
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            if (i + 1) % args.accum == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
        results, _ = evaluate(args, model, epoch=epoch)
# === a task of each batch is still one, around whatever its loss is made of
import torch


def train(args, model, loader, tasks):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        for task in tasks:
            loss = model(batch, task=task)
            loss.backward()
        optimizer.step()
