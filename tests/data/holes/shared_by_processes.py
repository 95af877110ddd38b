# === a loss that is divided by the number of processes, and by no window
import torch
import torch.distributed as dist


def mean_of_ranks(loss, world_size):
    loss = loss.clone()
    dist.all_reduce(loss)
    return loss / world_size


def train(model, loader, args):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        if args.distributed:
            loss = mean_of_ranks(loss, args.world_size)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.grad_accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === the number of processes is asked for
import torch
import torch.distributed as dist


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss /= dist.get_world_size()
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === right: divided by both
import torch
import torch.distributed as dist


def train(model, loader, args):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / args.world_size
        loss = loss / args.grad_accum
        loss.backward()
        if (i + 1) % args.grad_accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === right: divided by both at once
import torch
import torch.distributed as dist


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    parts = accum * dist.get_world_size()
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / parts
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === right: one process does the work of many, one after the other
import torch


def train(model, loader, world_size):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / world_size
        loss.backward()
        if (i + 1) % world_size == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

# === what is divided by is something of the batch, whatever it is
import torch


def train(model, loader, accum, world):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        loss = model(batch).sum() / (batch.tokens / world.world_size)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
