# === right: a head whose gradients are dropped in the first epochs
import torch
import torch.nn.functional as F


def train(student, loader, epochs):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(student(x), y).backward()
            if epoch < 1:
                for p in student.head.parameters():
                    p.grad = None
            optimizer.step()
# === all gradients are dropped in the same place
import torch
import torch.nn.functional as F


def train(student, loader, epochs):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            F.mse_loss(student(x), y).backward()
            for p in student.parameters():  # <- zero-grad-before-step
                p.grad = None
            optimizer.step()
# === right: the last layer is held still by a helper, by name
import torch
import torch.nn.functional as F


def cancel_gradients_last_layer(epoch, model, freeze):
    if epoch >= freeze:
        return
    for n, p in model.named_parameters():
        if "last_layer" in n:
            p.grad = None


def train(student, loader, epochs, freeze):
    optimizer = torch.optim.AdamW(student.parameters())
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(student(x), y).backward()
            cancel_gradients_last_layer(epoch, student, freeze)
            optimizer.step()
# === right: the head of a network of this file, within a window
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 6)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        return self.head(self.trunk(x))


def train(loader, epochs, accum=4):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(model(x), y) / accum).backward()
            if epoch < 2:
                model.head.zero_grad()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === the whole of that network is cleared within its window
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 6)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        return self.head(self.trunk(x))


def train(loader, epochs, accum=4):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            model.zero_grad()  # <- zero-grad-in-accumulation
            (F.mse_loss(model(x), y) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
# === right: behind the micro-batches of an update, in a function that takes one
import torch.nn.functional as F


def hold(model, epoch, frozen):
    if epoch < frozen:
        model.head.zero_grad(set_to_none=True)


def train_step(model, optimizer, group, epoch):
    optimizer.zero_grad()
    for x, y in group:
        (F.mse_loss(model(x), y) / len(group)).backward()
    hold(model, epoch, 2)
    optimizer.step()
# === right: two parts, and a list of parts
import itertools

import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        for p in itertools.chain(model.stem.parameters(), model.neck.parameters()):
            p.grad = None
        for part in [model.head, model.pool]:
            part.zero_grad()
        optimizer.step()
# === the part is all that the optimizer has
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        for p in model.head.parameters():  # <- zero-grad-before-step
            p.grad = None
        optimizer.step()
# === what is inside of a wrapper is all of it
import torch
import torch.nn.functional as F


def train(model, loader, local_rank):
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        model.module.zero_grad()  # <- zero-grad-before-step
        optimizer.step()
# === right: parameters that were picked by name
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    prototypes = [p for n, p in model.named_parameters() if "prototypes" in n]
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            if epoch < 1:
                for p in prototypes:
                    p.grad = None
            optimizer.step()
# === the optimizer was given just those
import torch
import torch.nn.functional as F


def train(model, loader):
    adapters = [p for n, p in model.named_parameters() if "lora" in n]
    optimizer = torch.optim.SGD(adapters, lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        for p in adapters:  # <- zero-grad-before-step
            p.grad = None
        optimizer.step()
# === those that are trained at all are no choice
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        for p in filter(lambda p: p.requires_grad, model.parameters()):  # <- zero-grad-before-step
            p.grad = None
        optimizer.step()
# === a head that is held still does for nothing else
import torch
import torch.nn.functional as F


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            F.mse_loss(model(x), y).backward()
            if epoch < 1:
                for p in model.head.parameters():
                    p.grad = None
            optimizer.step()  # <- missing-zero-grad
# === right: a part at the head of each window, where the part may be all there is
import torch
import torch.nn.functional as F


def train(agent, loader):
    optimizer = torch.optim.SGD(agent.parameters(), lr=0.1)
    for x, y in loader:
        agent.net.zero_grad()
        F.mse_loss(agent(x), y).backward()
        optimizer.step()
# === right: one loss learns from the trunk and does not teach it, by hand
import torch
import torch.nn.functional as F


def train(melt, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    for x, a, b in loader:
        opt.zero_grad()
        one, two = melt(x)
        F.mse_loss(one, a).backward(retain_graph=True)
        for p in melt.trunk.parameters():
            p.grad = None
        F.mse_loss(two, b).backward()
        opt.step()
# === right: a trunk of its own that one loss does not teach
import itertools
import torch
import torch.nn.functional as F


def train(trunk, left, right, loader):
    opt = torch.optim.SGD(itertools.chain(trunk.parameters(), left.parameters(), right.parameters()), lr=0.1)
    for x, a, b in loader:
        opt.zero_grad()
        seen = trunk(x)
        F.mse_loss(left(seen), a).backward(retain_graph=True)
        trunk.zero_grad()
        F.mse_loss(right(seen), b).backward()
        opt.step()
# === right: a trunk that one loss does not teach, with weights that are learned
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.opt = torch.optim.Adam(self.model.parameters())
        self.weigh = torch.nn.Linear(2, 1)
        self.weigh_opt = torch.optim.Adam(self.weigh.parameters())

    def step(self, x, a, b):
        one, two = self.model(x)
        loss = self.weigh(torch.stack([F.mse_loss(one, a), F.mse_loss(two, b)]))
        loss[0].backward(retain_graph=True)
        self.model.trunk.zero_grad()
        loss[1].backward()
        self.opt.step()
        self.weigh_opt.step()
        self.opt.zero_grad()
        self.weigh_opt.zero_grad()

    def fit(self):
        for x, a, b in self.loader:
            self.step(x, a, b)
# === right: losses that are weighed in a list
import torch
import torch.nn.functional as F


def train(melt, weigh, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=0.1)
    for x, a, b in loader:
        opt.zero_grad()
        weigh_opt.zero_grad()
        one, two = melt(x)
        losses = weigh([F.mse_loss(one, a), F.mse_loss(two, b)])
        losses[0].backward(retain_graph=True)
        melt.trunk.zero_grad()
        losses[1].backward()
        opt.step()
        weigh_opt.step()
# === right: a trunk that one loss does not teach, in a window
import torch
import torch.nn.functional as F


def train(melt, loader, accum=4):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    for i, (x, a, b) in enumerate(loader):
        one, two = melt(x)
        (F.mse_loss(one, a) / accum).backward(retain_graph=True)
        melt.trunk.zero_grad()
        (F.mse_loss(two, b) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
# === the whole network is cleared between two losses
import torch
import torch.nn.functional as F


def train(melt, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    for x, a, b in loader:
        one, two = melt(x)
        F.mse_loss(one, a).backward(retain_graph=True)
        melt.zero_grad()  # <- zero-grad-in-accumulation
        F.mse_loss(two, b).backward()
        opt.step()
# === the trunk that is cleared between two losses is all that the optimizer has
import torch
import torch.nn.functional as F


def train(melt, loader):
    opt = torch.optim.SGD(melt.trunk.parameters(), lr=0.1)
    for x, a, b in loader:
        one, two = melt(x)
        F.mse_loss(one, a).backward(retain_graph=True)
        melt.trunk.zero_grad()  # <- zero-grad-in-accumulation
        F.mse_loss(two, b).backward()
        opt.step()
# === both optimizers are cleared between two losses
import torch
import torch.nn.functional as F


def train(melt, weigh, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=0.1)
    for x, a, b in loader:
        one, two = melt(x)
        losses = weigh({"one": F.mse_loss(one, a), "two": F.mse_loss(two, b)})
        losses["one"].backward(retain_graph=True)
        opt.zero_grad()  # <- zero-grad-in-accumulation
        weigh_opt.zero_grad()  # <- zero-grad-in-accumulation
        losses["two"].backward()
        opt.step()
        weigh_opt.step()
