# === a step is taken back before a second one
import torch


class Anchored:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=rate)

    def fit(self, loader, anchors):
        for x, y in loader:
            before = self.model.get_params().detach().clone()
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()
            with torch.no_grad():
                meant = self.model(anchors)
            self.model.set_params(before)
            (meant - self.model(anchors)).square().mean().backward()
            self.optimizer.step()
# === the same by what torch has for it
import copy

import torch


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = copy.deepcopy(model.state_dict())
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        model.load_state_dict(before)
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === two steps, and no weights are put back
import torch


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        model(anchors).square().mean().backward()
        optimizer.step()  # <- missing-zero-grad
# === weights come from a file before anything is trained
import torch


def fit(model, loader, path):
    model.load_state_dict(torch.load(path))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad
# === the same by a vector of all parameters
import torch
import torch.nn.functional as F


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone()
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        torch.nn.utils.vector_to_parameters(before, model.parameters())
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === the same, copied
import torch
import torch.nn.functional as F


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = [p.detach().clone() for p in model.parameters()]
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        with torch.no_grad():
            for p, old in zip(model.parameters(), before):
                p.copy_(old)
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === the same, put into their data
import torch
import torch.nn.functional as F


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = [p.data.clone() for p in model.parameters()]
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        for p, old in zip(model.parameters(), before):
            p.data = old
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === the same by their names
import torch
import torch.nn.functional as F


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = {n: p.detach().clone() for n, p in model.named_parameters()}
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        for n, p in model.named_parameters():
            p.data.copy_(before[n])
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === the same in a helper
import torch
import torch.nn.functional as F


def put_back(net, before):
    for p, old in zip(net.parameters(), before):
        p.data.copy_(old)


def fit(model, loader, anchors):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        before = [p.data.clone() for p in model.parameters()]
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            meant = model(anchors)
        put_back(model, before)
        (meant - model(anchors)).square().mean().backward()
        optimizer.step()
# === what is written by hand has one step beside it
import torch
import torch.nn.functional as F


def fit(model, average, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad
        for p, q in zip(average.parameters(), model.parameters()):
            p.data.copy_(0.9 * p.data + 0.1 * q.data)
