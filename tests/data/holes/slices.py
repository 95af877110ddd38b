# === slice objects in a list, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, micro):
    for x, y in loader:
        optimizer.zero_grad()
        parts = [slice(start, start + micro) for start in range(0, len(x), micro)]
        for part in parts:
            loss = F.cross_entropy(model(x[part]), y[part])
            loss.backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === slice made in the loop, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, micro_batch_size):
    for x, y in loader:
        optimizer.zero_grad()
        for start in range(0, x.shape[0], micro_batch_size):
            cut = slice(start, start + micro_batch_size)
            F.mse_loss(model(x[cut]), y[cut]).backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === subscripts with colons, undivided
import torch
import torch.nn.functional as F


def step(model, optimizer, x, y, size):
    optimizer.zero_grad()
    for i in range(0, x.size(0), size):
        loss = F.cross_entropy(model(x[i : i + size]), y[i : i + size])
        loss.backward()  # <- unscaled-accumulation-loss
    optimizer.step()


def train(model, loader, optimizer, size):
    for x, y in loader:
        step(model, optimizer, x.cuda(), y.cuda(), size)
# === number of chunks, slice objects, clip in the pieces
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, num_chunks):
    for x, y in loader:
        size = len(x) // num_chunks
        optimizer.zero_grad()
        for k in range(num_chunks):
            piece = slice(k * size, (k + 1) * size)
            loss = F.mse_loss(model(x[piece]), y[piece]) / num_chunks
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        optimizer.step()
# === slices from a helper, zero in the pieces
import torch
import torch.nn.functional as F


def slices(total, size):
    return [slice(a, min(a + size, total)) for a in range(0, total, size)]


def train(model, loader, optimizer):
    for x, y in loader:
        pieces = slices(len(x), 8)
        for piece in pieces:
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            loss = F.mse_loss(model(x[piece]), y[piece]) / len(pieces)
            loss.backward()
        optimizer.step()
# === right: divided by the number of pieces
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, micro):
    for x, y in loader:
        optimizer.zero_grad()
        parts = [slice(start, start + micro) for start in range(0, len(x), micro)]
        for part in parts:
            loss = F.cross_entropy(model(x[part]), y[part]) / len(parts)
            loss.backward()
        optimizer.step()
# === right: weighed by the size of the piece
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, micro_batch_size):
    for x, y in loader:
        optimizer.zero_grad()
        for start in range(0, x.shape[0], micro_batch_size):
            cut = slice(start, start + micro_batch_size)
            loss = F.mse_loss(model(x[cut]), y[cut])
            (loss * len(x[cut]) / len(x)).backward()
        optimizer.step()
# === right: summed over the pieces
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, size):
    for x, y in loader:
        optimizer.zero_grad()
        for i in range(0, x.size(0), size):
            loss = F.cross_entropy(model(x[i : i + size]), y[i : i + size], reduction="sum")
            (loss / x.size(0)).backward()
        optimizer.step()
# === right: mini-batches of a rollout, each with its step
import torch
import torch.nn.functional as F


def learn(policy, optimizer, rollout, size):
    x, y = rollout
    for epoch in range(4):
        for start in range(0, len(x), size):
            part = slice(start, start + size)
            loss = F.mse_loss(policy(x[part]), y[part])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
# === right: losses of the parts of one sequence belong together
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, length):
    for x, y in loader:
        optimizer.zero_grad()
        total = 0.0
        for start in range(0, x.shape[1], length):
            part = slice(start, start + length)
            total = total + F.cross_entropy(model(x[:, part]), y[:, part], reduction="sum")
        (total / y.numel()).backward()
        optimizer.step()
# === number of pieces, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, num_chunks):
    for x, y in loader:
        size = len(x) // num_chunks
        optimizer.zero_grad()
        for k in range(num_chunks):
            piece = slice(k * size, (k + 1) * size)
            loss = F.mse_loss(model(x[piece]), y[piece])
            loss.backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === right: truncated backpropagation through time
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, bptt):
    for x, y in loader:
        optimizer.zero_grad()
        state = None
        for start in range(0, x.size(1), bptt):
            part = slice(start, start + bptt)
            out, state = model(x[:, part], state)
            state = state.detach()
            F.cross_entropy(out, y[:, part]).backward()
        optimizer.step()
# === right: time steps of a rollout
import torch
import torch.nn.functional as F


def train(model, optimizer, episodes, horizon, stride):
    for frames, actions in episodes:
        optimizer.zero_grad()
        for t in range(0, horizon, stride):
            loss = F.mse_loss(model(frames[t]), actions[t])
            loss.backward()
        optimizer.step()
# === right: micro-batches of a known size
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, batch_size, micro):
    for x, y in loader:
        optimizer.zero_grad()
        for start in range(0, batch_size, micro):
            loss = F.cross_entropy(model(x[start : start + micro]), y[start : start + micro])
            (loss * micro / batch_size).backward()
        optimizer.step()
# === right: several views of one sample, summed on purpose
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, views):
    for x, y in loader:
        optimizer.zero_grad()
        for k in range(views):
            F.cross_entropy(model(x[:, k]), y).backward()
        optimizer.step()
# === a batch that is split
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, micro):
    for x, y in loader:
        optimizer.zero_grad()
        for xs, ys in zip(x.split(micro), y.split(micro)):
            F.cross_entropy(model(xs), ys).backward()  # <- unscaled-accumulation-loss
        optimizer.step()
# === right: a step for an epoch over pieces of all data
import torch
import torch.nn.functional as F


def train(model, x, y, optimizer, micro_batch, epochs):
    for epoch in range(epochs):
        order = torch.randperm(len(x))
        optimizer.zero_grad()
        for start in range(0, len(x), micro_batch):
            index = order[start : start + micro_batch]
            F.mse_loss(model(x[index]), y[index]).backward()
        optimizer.step()
# === right: the last of a window comes by itself
from itertools import islice

import torch
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel


def windows(loader, size):
    batches = iter(loader)
    while window := list(islice(batches, size)):
        yield window


def train(net, loader):
    net = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    for window in windows(loader, 3):
        optimizer.zero_grad()
        with net.no_sync():
            for x, y in window[:-1]:
                (mse_loss(net(x), y) / len(window)).backward()
        x, y = window[-1]
        (mse_loss(net(x), y) / len(window)).backward()
        optimizer.step()
