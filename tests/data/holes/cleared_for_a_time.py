# === a head is cleared in front of its step in the first epochs
import torch
from torch import nn


def main(loader):
    trunk, head = nn.Linear(3, 3), nn.Linear(3, 1)
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            opt_head.zero_grad()
            nn.functional.mse_loss(head(trunk(x)), y).backward()
            if epoch < 3:
                opt_head.zero_grad()
            opt.step()
            opt_head.step()
# === in the first epoch, by its own name
import torch
from torch import nn


def main(loader):
    trunk, head = nn.Linear(3, 3), nn.Linear(3, 1)
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            opt_head.zero_grad()
            nn.functional.mse_loss(head(trunk(x)), y).backward()
            if epoch == 0:
                head.zero_grad()
            opt.step()
            opt_head.step()
# === in every other epoch
import torch
from torch import nn


def main(loader):
    trunk, head = nn.Linear(3, 3), nn.Linear(3, 1)
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            opt_head.zero_grad()
            nn.functional.mse_loss(head(trunk(x)), y).backward()
            if epoch % 2 == 0:
                opt_head.zero_grad()
            opt.step()
            opt_head.step()
# === for some batches
import torch
from torch import nn


def main(loader):
    trunk, head = nn.Linear(3, 3), nn.Linear(3, 1)
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
    for seen, (x, y) in enumerate(loader):
        opt.zero_grad()
        opt_head.zero_grad()
        nn.functional.mse_loss(head(trunk(x)), y).backward()
        if seen < 40:
            opt_head.zero_grad()
        opt.step()
        opt_head.step()
# === a window's clear, and the step without the window
import torch
from torch import nn


def main(loader):
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for i, (x, y) in enumerate(loader):
            nn.functional.mse_loss(net(x), y).backward()
            if i % 4 == 0:
                opt.zero_grad()  # <- zero-grad-before-step
            opt.step()  # <- missing-zero-grad
# === in each epoch
import torch
from torch import nn


def main(loader):
    trunk, head = nn.Linear(3, 3), nn.Linear(3, 1)
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(head(trunk(x)), y).backward()
            opt_head.zero_grad()  # <- zero-grad-before-step
            opt.step()
            opt_head.step()
# === a window's end is asked once for the clear, and once for the step
import torch
from torch import nn


def main(loader, accum=4):
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    count = 0
    for x, y in loader:
        (nn.functional.mse_loss(net(x), y) / accum).backward()
        count += 1
        if count == accum:
            opt.zero_grad()  # <- zero-grad-before-step
        if count == accum:
            opt.step()
            count = 0
# === one of several networks whose optimizers nobody can list
import torch
from torch import nn


def main(loader, heads, names):
    trunk = nn.Linear(3, 3)
    opts = {name: torch.optim.Adam(heads[name].parameters()) for name in names}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1)
    for x, y in loader:
        h = trunk(x)
        sum(nn.functional.mse_loss(heads[name](h), y) for name in names).backward()
        heads["first"].zero_grad()
        for opt in opts.values():
            opt.step()
        for opt in opts.values():
            opt.zero_grad()
# === one of several optimizers that nobody can list
import torch
from torch import nn


def main(loader, heads, names):
    trunk = nn.Linear(3, 3)
    opts = {name: torch.optim.Adam(heads[name].parameters()) for name in names}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1)
    for x, y in loader:
        h = trunk(x)
        sum(nn.functional.mse_loss(heads[name](h), y) for name in names).backward()
        opts["first"].zero_grad()
        for opt in opts.values():
            opt.step()
        for opt in opts.values():
            opt.zero_grad()
# === one of several optimizers that can be listed, which never steps with anything
import torch
from torch import nn


def main(loader):
    nets = {"trunk": nn.Linear(3, 3), "head": nn.Linear(3, 1)}
    opts = {name: torch.optim.Adam(net.parameters()) for name, net in nets.items()}
    for x, y in loader:
        nn.functional.mse_loss(nets["head"](nets["trunk"](x)), y).backward()
        opts["head"].zero_grad()  # <- zero-grad-before-step
        for opt in opts.values():
            opt.step()
        for opt in opts.values():
            opt.zero_grad()
# === right: a part rests in the first turns, counted by the batches that fill its windows
import torch


def train(body, head, loader, slow=4):
    fine = torch.optim.SGD(head.parameters(), lr=0.1)
    rough = torch.optim.Adam(body.parameters(), lr=0.02)
    for turn, (x, y) in enumerate(loader):
        fine.zero_grad()
        loss = torch.nn.functional.cross_entropy(head(body(x)), y)
        loss.backward()
        if turn < 4:
            rough.zero_grad()
        fine.step()
        if turn % slow == slow - 1:
            for p in body.parameters():
                p.grad /= slow
            rough.step()
            rough.zero_grad()
