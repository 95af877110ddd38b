"""An evaluation goes backward as training does: it trains nothing where its gradients are cleared, also those behind the last step."""

# === right: an evaluation goes backward through a helper that clears before, up to the end, and nothing uses that
import torch
from torch import nn


class Prototypes:
    def __init__(self, net, device):
        self.net = net.to(device)
        self.optimizer = torch.optim.Adam(net.parameters())

    def loss(self, task):
        self.net.zero_grad()
        near = self.net(task["support"])
        far = self.net(task["query"])
        loss = nn.functional.cross_entropy(-torch.cdist(far, near.mean(1)), task["labels"])
        loss.backward()
        return loss.item()

    def learn(self, tasks):
        self.net.train()
        for task in tasks:
            self.optimizer.zero_grad()
            yield self.loss(task)
            self.optimizer.step()

    def measure(self, tasks):
        self.net.eval()
        count = 0
        while count < 100:
            for task in tasks:
                yield self.loss(task)
                count += 1


def main(net, train, held, device):
    prototypes = Prototypes(net, device)
    for epoch in range(30):
        for loss in prototypes.learn(train):
            print(loss)
        for loss in prototypes.measure(held):
            print(loss)
# === the network is woken only once, before all epochs
import torch
from torch import nn


class Prototypes:
    def __init__(self, net, device):
        self.net = net.to(device)
        self.optimizer = torch.optim.Adam(net.parameters())

    def loss(self, task):
        self.net.zero_grad()
        near = self.net(task["support"])
        far = self.net(task["query"])
        loss = nn.functional.cross_entropy(-torch.cdist(far, near.mean(1)), task["labels"])
        loss.backward()
        return loss.item()

    def learn(self, tasks):
        for task in tasks:
            self.optimizer.zero_grad()
            yield self.loss(task)
            self.optimizer.step()

    def measure(self, tasks):
        self.net.eval()
        count = 0
        while count < 100:
            for task in tasks:
                yield self.loss(task)
                count += 1


def main(net, train, held, device):
    prototypes = Prototypes(net, device)
    net.train()
    for epoch in range(30):
        for loss in prototypes.learn(train):
            print(loss)
        for loss in prototypes.measure(held):  # <- missing-train-mode
            print(loss)
