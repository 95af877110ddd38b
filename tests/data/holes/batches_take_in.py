# === a batch takes an output in under a key, and the gradients of its window are cleared
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        batch["output"] = model(**batch)
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
# === right: a batch takes an output in under a key
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        batch["output"] = model(**batch)
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a batch takes an output in by update(), and the gradients of its window are cleared
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        batch.update(model(**batch))
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
# === right: a batch takes an output in by update()
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        batch.update(model(**batch))
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a batch takes an output in either way, and the gradients of its window are cleared
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        outputs = model(**batch)
        if isinstance(outputs, dict):
            batch.update(outputs)
        else:
            batch["output"] = outputs
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
# === right: a batch takes an output in either way
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        outputs = model(**batch)
        if isinstance(outputs, dict):
            batch.update(outputs)
        else:
            batch["output"] = outputs
        batch["loss"] = criterion(**batch) / steps
        batch["loss"].backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a batch takes an output in, and the loss is not divided
import torch
from torch import nn


class Objective(nn.Module):
    def forward(self, output, target, **batch):
        return nn.functional.mse_loss(output, target)


def train(model, loader, steps):
    criterion = Objective()
    optimizer = torch.optim.Adam(model.parameters())
    for n, batch in enumerate(loader, 1):
        batch.update(model(**batch))
        batch["loss"] = criterion(**batch)
        batch["loss"].backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: an output that a batch takes in is of the painter, and the critic is cleared
import torch
from torch import nn


class Judged(nn.Module):
    def forward(self, judged, **batch):
        return judged.mean()


def train(painter, critic, loader):
    criterion = Judged()
    first = torch.optim.Adam(painter.parameters())
    second = torch.optim.Adam(critic.parameters())
    for batch in loader:
        batch["fake"] = painter(batch["noise"])
        batch["judged"] = critic(batch["fake"].detach())
        second.zero_grad()
        criterion(**batch).backward()
        second.step()
        first.zero_grad()
        batch["judged"] = -critic(batch["fake"])
        criterion(**batch).backward()
        first.step()
# === right: what a learner updates is no batch
import torch


def train(model, loader, learners):
    optimizer = torch.optim.Adam(model.parameters())
    for batch, learner in zip(loader, learners):
        loss = model(batch).mean()
        learner.update(loss)
        optimizer.step()
