# === right: a frozen head rests beside networks that are put back
import torch
from torch import nn


def evaluate(body, head, loader):
    with torch.no_grad():
        return sum(head(body(x)).argmax(1).eq(y).sum() for x, y in loader)


def train(settings, loader, test):
    body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    head = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    for name, p in head.named_parameters():
        p.requires_grad = False
    group = []
    for name, p in body.named_parameters():
        if settings.decay > 0:
            group += [{"params": p, "lr": settings.decay}]
        else:
            p.requires_grad = False
    optimizer = torch.optim.SGD(group)
    for turn, (x, y) in enumerate(loader):
        if turn % 10 == 0:
            body.eval()
            head.eval()
            evaluate(body, head, test)
            body.train()
        loss = nn.functional.cross_entropy(head(body(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# === a head that is trained, and evaluated with what is put back
import torch
from torch import nn


def evaluate(body, head, loader):
    body.eval()
    head.eval()
    with torch.no_grad():
        return sum(head(body(x)).argmax(1).eq(y).sum() for x, y in loader)


def train(loader, test):
    body = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))
    head = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
    for epoch in range(3):
        body.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(head(body(x)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        evaluate(body, head, test)  # <- missing-train-mode
# === right: only the prompts of a network are trained, and nothing ever wakes it
import torch
from prompts import made


def tune(model, x, optimizer):
    out = model(x)
    loss = out.softmax(1).log().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def adapt(model, x, optimizer):
    tune(model, x, optimizer)
    with torch.no_grad():
        model.eval()
        return model(x)


def main(settings, loader):
    model = made(settings)
    for name, p in model.named_parameters():
        if "prompts" not in name:
            p.requires_grad_(False)
    group = []
    for name, p in model.prompts.named_parameters():
        if p.requires_grad:
            group += [{"params": p, "lr": 0.1}]
    optimizer = torch.optim.SGD(group)
    for x, y in loader:
        adapt(model, x, optimizer)
# === right: gradients are only measured there, and it is woken behind
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout())
        self.opt = torch.optim.SGD(self.parameters(), lr=0.1)

    def forward(self, x):
        return self.body(x)

    def similar(self, x, y):
        self.zero_grad()
        loss = torch.nn.functional.cross_entropy(self(x), y)
        loss.backward()
        return [p.grad.flatten().clone() for p in self.parameters()]

    def observe(self, x, y, kept):
        self.zero_grad()
        loss = torch.nn.functional.cross_entropy(self(x), y)
        loss.backward()
        self.opt.step()
        self.eval()
        kept.append(self.similar(x, y))
        self.train()


def life(loader):
    net = Net()
    kept = []
    for x, y in loader:
        net.observe(x, y, kept)
# === right: a network of one mode that makes tensors of its own
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, size, mode):
        super().__init__()
        self.last = nn.Tanh()
        self.mixed = nn.Linear(size, size)
        if mode == 1:
            self.mixed = nn.Linear(2 * size, size)

    def forward(self, x, y):
        out = torch.Tensor()
        out = torch.cat((x, y), 1)
        return self.last(self.mixed(out.to(x.device)))


def train(loader, test):
    net = Mixed(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            net(x, y).mean().backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            for x, y in test:
                print(net(x, y))
# === a network is frozen in part by name, and trained awake until the first evaluation
import torch
import torchvision
from torch import nn


def validate(net, loader):
    net.eval()
    with torch.no_grad():
        return sum(nn.functional.cross_entropy(net(x), y).item() for x, y in loader)


def main(loader, val, epochs=3):
    net = torchvision.models.resnet18(weights="DEFAULT")
    for name, p in net.named_parameters():
        if "layer4" not in name and "fc" not in name:
            p.requires_grad = False
    net.fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(512, 10))
    opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad])
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
        print(validate(net, val))  # <- missing-train-mode
