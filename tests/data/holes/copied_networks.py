# === copies are trained, and what takes their weights is evaluated with gradients on
import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def forward(self, x):
        return self.fc(x)


def local(model, loader, rate):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model.state_dict()


def score(model, held_out):
    model.eval()
    right = 0
    for x, y in held_out:
        right += (model(x).argmax(1) == y).sum().item()  # <- validation-without-no-grad
    return right


def rounds(clients, held_out):
    shared = Net()
    for turn in range(10):
        shared.train()
        found = []
        for one in clients:
            found.append(local(copy.deepcopy(shared), one, 0.1))
        shared.load_state_dict(mean_of(found))
        print(score(shared, held_out))
# === it is evaluated without gradients
import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def forward(self, x):
        return self.fc(x)


def local(model, loader, rate):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model.state_dict()


@torch.no_grad()
def score(model, held_out):
    model.eval()
    right = 0
    for x, y in held_out:
        right += (model(x).argmax(1) == y).sum().item()
    return right


def rounds(clients, held_out):
    shared = Net()
    for turn in range(10):
        shared.train()
        found = []
        for one in clients:
            found.append(local(copy.deepcopy(shared), one, 0.1))
        shared.load_state_dict(mean_of(found))
        print(score(shared, held_out))
# === the first network is held still, and its copy learns
import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def forward(self, x):
        return self.fc(x)


def score(model, held_out):
    model.eval()
    right = 0
    for x, y in held_out:
        right += (model(x).argmax(1) == y).sum().item()
    return right


def tune(loader, held_out):
    first = Net()
    second = copy.deepcopy(first)
    for p in first.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.SGD(second.parameters(), lr=0.1)
    print(score(first, held_out))
    second.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(second(x), y).backward()
        optimizer.step()
# === the first network teaches its copy
import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def forward(self, x):
        return self.fc(x)


def tune(loader):
    teacher = Net()
    pupil = copy.deepcopy(teacher)
    keep_still(teacher)
    optimizer = torch.optim.SGD(pupil.parameters(), lr=0.1)
    teacher.eval()
    pupil.train()
    for x, y in loader:
        wanted = teacher(x).detach()
        optimizer.zero_grad()
        nn.functional.mse_loss(pupil(x), wanted).backward()
        optimizer.step()
