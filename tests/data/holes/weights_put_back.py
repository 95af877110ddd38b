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
