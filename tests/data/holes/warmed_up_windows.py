# === the window grows while it warms up, and every micro-batch is reduced
import numpy as np
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, criterion, rank, nominal, batch_size, warm):
    net = DDP(net.to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    accumulate = max(round(nominal / batch_size), 1)
    for epoch in range(90):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            done = i + len(loader) * epoch
            if done <= warm:
                accumulate = max(1, np.interp(done, [0, warm], [1, nominal / batch_size]).round())
            loss = criterion(net(x), y)
            loss *= batch_size
            loss.backward()  # <- missing-no-sync
            if done % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: the same without ranks
import numpy as np
import torch


def train(net, loader, criterion, nominal, batch_size, warm):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    accumulate = max(round(nominal / batch_size), 1)
    for epoch in range(90):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            done = i + len(loader) * epoch
            if done <= warm:
                accumulate = max(1, np.interp(done, [0, warm], [1, nominal / batch_size]).round())
            loss = criterion(net(x), y)
            loss *= batch_size
            loss.backward()
            if done % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: what cannot be computed counts no micro-batches
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, criterion, rank, plateau):
    net = DDP(net.to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    every = plateau.first()
    for epoch in range(90):
        for i, (x, y) in enumerate(loader):
            every = plateau.next(every, i)
            loss = criterion(net(x), y)
            loss.backward()
            if i % every == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: all but the last wait
import numpy as np
import torch
from contextlib import nullcontext
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, criterion, rank, nominal, batch_size, warm):
    net = DDP(net.to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    accumulate = max(round(nominal / batch_size), 1)
    for epoch in range(90):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            done = i + len(loader) * epoch
            if done <= warm:
                accumulate = max(1, np.interp(done, [0, warm], [1, nominal / batch_size]).round())
            with nullcontext() if done % accumulate == 0 else net.no_sync():
                loss = criterion(net(x), y)
                loss *= batch_size
                loss.backward()
            if done % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
