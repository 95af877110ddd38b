# === right: what it is given is volatile
import torch
from torch.autograd import Variable


def quietly(x):
    return Variable(x, volatile=True)


def train(net, loader, test, optimizer, criterion):
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(Variable(x)), Variable(y)).backward()
            optimizer.step()
        print(evaluate(net, test, criterion))


def evaluate(net, test, criterion):
    net.eval()
    total = 0
    for x, y in test:
        total += criterion(net(quietly(x)), quietly(y)).data
    return total
# === nothing is volatile
import torch
from torch.autograd import Variable


def train(net, loader, test, optimizer, criterion):
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(Variable(x)), Variable(y)).backward()
            torch.nn.utils.clip_grad_norm(net.parameters(), 1.0)
            optimizer.step()
        print(evaluate(net, test, criterion))


def evaluate(net, test, criterion):
    net.eval()
    total = 0
    for x, y in test:
        total += criterion(net(Variable(x)), Variable(y)).data  # <- validation-without-no-grad
    return total
