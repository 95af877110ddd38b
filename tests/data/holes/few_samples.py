# === a network in sight embeds the few samples of each task, and nothing here learns from them
import torch
from torch import nn
from torch.nn import functional as F


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())

    def forward(self, x):
        return self.layers(x)


def train(tasks, held_out, epochs):
    net = Embedding()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for support, query, labels in tasks:
            middle = net(support).reshape(5, -1, 64).mean(1)
            loss = F.cross_entropy(-torch.cdist(net(query), middle), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        right = []
        for support, query, labels in held_out:
            middle = net(support).reshape(5, -1, 64).mean(1)  # <- validation-without-no-grad
            right.append((-torch.cdist(net(query), middle).argmax(1) == labels).sum().item())
        print(sum(right))
# === the network takes some steps on the few samples before it answers
import torch
from torch import nn
from torch.nn import functional as F


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(64, 5)

    def forward(self, support, labels, query):
        weight, bias = self.head.weight, self.head.bias
        loss = F.cross_entropy(F.linear(support, weight, bias), labels)
        one, two = torch.autograd.grad(loss, (weight, bias), create_graph=self.training)
        return F.linear(query, weight - 0.1 * one, bias - 0.1 * two)


def train(tasks, held_out, epochs):
    net = Learner()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for support, known, query, labels in tasks:
            loss = F.cross_entropy(net(support, known, query), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        right = []
        for support, known, query, labels in held_out:
            right.append((net(support, known, query).argmax(1) == labels).sum().item())
        print(sum(right))
# === nobody sees the network, and it may take some steps on them
import torch
from torch.nn import functional as F
from zoo import Learner


def train(tasks, held_out, epochs):
    net = Learner()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for support, known, query, labels in tasks:
            loss = F.cross_entropy(net(support, known, query), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        right = []
        for support, known, query, labels in held_out:
            right.append((net(support, known, query).argmax(1) == labels).sum().item())
        print(sum(right))
# === a network in sight is embedded in what a library of meta-learning makes of it
import learn2learn as l2l
import torch
from torch import nn
from torch.nn import functional as F


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Linear(64, 5)

    def forward(self, x):
        return self.layers(x)


def train(tasks, held_out, epochs):
    net = Embedding()
    meta = l2l.algorithms.MAML(net, lr=0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for support, known, query, labels in tasks:
            learner = meta.clone()
            learner.adapt(F.cross_entropy(learner(support), known))
            optimizer.zero_grad()
            F.cross_entropy(learner(query), labels).backward()
            optimizer.step()
        net.eval()
        for support, known, query, labels in held_out:
            learner = meta.clone()
            learner.adapt(F.cross_entropy(net(support), known))
            print((learner(query).argmax(1) == labels).sum().item())
