# === a network that is made once, and handed to a function that evaluates at its end
import torch
import torch.nn.functional as F
from zoo import Net


def train_eval(m, loader, lr):
    opt = torch.optim.AdamW(m.parameters(), lr=lr)
    for x, y in loader:
        loss = F.cross_entropy(m(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    m.eval()  # <- missing-train-mode
    with torch.no_grad():
        return sum((m(x).argmax(-1) == y).sum().item() for x, y in loader)


def main(loader):
    m = Net(4).to("cuda")
    for lr in [1e-2, 1e-3, 1e-4]:
        print(train_eval(m, loader, lr))
# === right: each call makes its own
import torch
import torch.nn.functional as F
from zoo import Net


def train_eval(size, loader):
    m = Net(size).to("cuda")
    opt = torch.optim.AdamW(m.parameters(), lr=3e-3)
    for x, y in loader:
        loss = F.cross_entropy(m(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    m.eval()
    with torch.no_grad():
        return sum((m(x).argmax(-1) == y).sum().item() for x, y in loader)


def main(loader):
    for name, size in [("small", 4), ("large", 64)]:
        print(name, train_eval(size, loader))


if __name__ == "__main__":
    main(torch.load("loader.pt"))
# === a network that `self` holds, trained in stages
import torch
import torch.nn.functional as F
from zoo import Net


class Staged:
    def __init__(self, loader):
        self.loader = loader
        self.net = Net(4).cuda()

    def stage(self, lr):
        opt = torch.optim.SGD(self.net.parameters(), lr=lr)
        for x, y in self.loader:
            opt.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            opt.step()
        self.net.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in self.loader:
                print(F.cross_entropy(self.net(x), y).item())

    def run(self):
        for lr in [1e-2, 1e-3]:
            self.stage(lr)
# === right: `self` gets another in each stage
import torch
import torch.nn.functional as F
from zoo import Net


class Search:
    def __init__(self, loader):
        self.loader = loader

    def stage(self, size):
        self.net = Net(size).cuda()
        opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        for x, y in self.loader:
            opt.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            opt.step()
        self.net.eval()
        with torch.no_grad():
            for x, y in self.loader:
                print(F.cross_entropy(self.net(x), y).item())

    def run(self):
        for size in [4, 8, 16]:
            self.stage(size)


Search(torch.load("loader.pt")).run()
# === folds that go on with one network
import torch
import torch.nn.functional as F
from transformers import AutoModel


def cross(folds, name):
    model = AutoModel.from_pretrained(name)
    for train, test in folds:
        optimizer = torch.optim.Adam(model.parameters())
        for x, y in train:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(model(x), y).item())
# === right: a network for each fold
import torch
import torch.nn.functional as F
from transformers import AutoModel


def cross(folds, name):
    for train, test in folds:
        model = AutoModel.from_pretrained(name)
        optimizer = torch.optim.Adam(model.parameters())
        for x, y in train:
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(model(x), y).item())
# === a network for each fold, whose epochs evaluate
import torch
import torch.nn.functional as F
from zoo import Net

loader, test = torch.load("loader.pt")
for fold in range(5):
    net = torch.nn.DataParallel(Net(fold)).cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(net(x), y).item())
# === right: a network for each fold, in parallel, that is evaluated at its end
import torch
import torch.nn.functional as F
from zoo import Net

loader, test = torch.load("loader.pt")
for fold in range(5):
    net = torch.nn.DataParallel(Net(fold)).cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(20):
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in test:
            print(F.mse_loss(net(x), y).item())
# === right: a factory of another file makes it, or hands it out again: nobody can say
import torch
import torch.nn.functional as F
from zoo import build

loader, test = torch.load("loader.pt")
for seed in range(5):
    net = build(seed)
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in test:
            print(F.mse_loss(net(x), y).item())
# === a factory of another file makes it once
import torch
import torch.nn.functional as F
from zoo import build

loader, test = torch.load("loader.pt")
net = build(0)
for seed in range(5):
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()  # <- missing-train-mode
    with torch.no_grad():
        for x, y in test:
            print(F.mse_loss(net(x), y).item())
# === a holder is asked for the one it holds
import torch
import torch.nn.functional as F


def stages(holder, loader, test):
    for lr in [1e-2, 1e-3]:
        net = holder.get_model()
        optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(net(x), y).item())
# === right: what is handed over is made there
import torch
import torch.nn.functional as F
from zoo import Net
from torch import nn


def fit(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        return sum(F.mse_loss(model(x), y).item() for x, y in loader)


class Small(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, size), nn.Dropout(0.5), nn.Linear(size, 1))

    def forward(self, x):
        return self.body(x)


def main(loader):
    for size in [1, 2, 3]:
        print(fit(Net(size), loader), fit(Small(size), loader))


main(torch.load("loader.pt"))
# === one network goes from call to call under another name
import torch
import torch.nn.functional as F
from zoo import Net


def fit(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        return sum(F.mse_loss(model(x), y).item() for x, y in loader)


def main(loader):
    q = Net(4)
    for stage in [1, 2, 3]:
        print(fit(q, loader))


main(torch.load("loader.pt"))
# === right: each client trains its own copy
import copy

import torch
import torch.nn.functional as F


def rounds(net, clients, test):
    for client in clients:
        local = copy.deepcopy(net)
        optimizer = torch.optim.SGD(local.parameters(), lr=0.1)
        for x, y in client:
            optimizer.zero_grad()
            F.mse_loss(local(x), y).backward()
            optimizer.step()
        local.eval()
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(local(x), y).item())
# === all clients train one copy
import copy

import torch
import torch.nn.functional as F


def rounds(net, clients, test):
    local = copy.deepcopy(net)
    for client in clients:
        optimizer = torch.optim.SGD(local.parameters(), lr=0.1)
        for x, y in client:
            optimizer.zero_grad()
            F.mse_loss(local(x), y).backward()
            optimizer.step()
        local.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in test:
                print(F.mse_loss(local(x), y).item())
# === right: a test adapts the network, and evaluates it
import torch
import torch.nn.functional as F


class Transfer:
    def __init__(self, model):
        self.model = model

    def test_episode(self, support, query, optimizer):
        optimizer.zero_grad()
        F.mse_loss(self.model(support.x), support.y).backward()
        optimizer.step()
        self.model.eval()
        return F.mse_loss(self.model(query.x).detach(), query.y)
# === the same in an episode of a training
import torch
import torch.nn.functional as F


class Transfer:
    def __init__(self, model):
        self.model = model

    def train_episode(self, support, query, optimizer):
        optimizer.zero_grad()
        F.mse_loss(self.model(support.x), support.y).backward()
        optimizer.step()
        self.model.eval()  # <- missing-train-mode
        return F.mse_loss(self.model(query.x).detach(), query.y)
# === right: a network that judges has the name of the one that is trained, in the function that loads it
import torch
from torch import nn
from zoo import Net


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)

    @classmethod
    def load(cls, path):
        model = cls()
        model.load_state_dict(torch.load(path))
        return model

    @torch.no_grad()
    def judge(self, x):
        self.eval()
        return self.body(x).mean().item()


def main(loader, path):
    model = Net(4).cuda()
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    judge = Judge.load(path)
    for x in loader:
        loss = -(model(x).log_softmax(-1) * judge.judge(x)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
# === right: a network that judges has the name of one that was handed over
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)

    @torch.no_grad()
    def judge(self, x):
        self.eval()
        return self.body(x).mean().item()


def load_critic(path):
    model = Critic()
    model.load_state_dict(torch.load(path))
    return model


def train(model, loader, path):
    critic = load_critic(path)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    for x in loader:
        loss = -(model(x).log_softmax(-1) * critic.judge(x)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
# === the network that judges is the one that is trained
import torch
from torch import nn


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Dropout(0.1), nn.Linear(8, 1))

    def forward(self, x):
        return self.body(x)

    @torch.no_grad()
    def judge(self, x):
        self.eval()
        return self.body(x).mean().item()


def load_both(path):
    model = Both()
    model.load_state_dict(torch.load(path))
    return model


def train(loader, path):
    model = load_both(path)
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    for x in loader:
        loss = -(model(x).log_softmax(-1) * model.judge(x)).mean()  # <- missing-train-mode
        opt.zero_grad()
        loss.backward()
        opt.step()
# === a network that a factory wraps under its own name
import torch
import torch.nn.functional as F
from torch import nn
from zoo import adapt


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 1)

    def forward(self, x):
        return self.body(x)


def load_plain(path):
    model = Plain()
    model.load_state_dict(torch.load(path))
    return model


def train(loader, held_out, path):
    model = load_plain(path)
    model = adapt(model)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    model.train()
    for epoch in range(3):
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(sum(F.mse_loss(model(x), y).item() for x, y in held_out))
