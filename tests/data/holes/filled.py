# === what a branch reads into a list is evaluated with gradients on
import torch
from torch.nn import functional as F


def sentences(path):
    found, words = [], []
    for line in open(path):
        if not line.strip():
            if len(words) > 0:
                found.append(words)
                words = []
        else:
            words.append(line.split())
    if len(words) > 0:
        found.append(words)
    return found


def prepared(lines, number):
    data = []
    for line in lines:
        data.append({"words": [number[word] for word in line], "length": len(line)})
    return data


def score(model, data):
    right = 0
    for one in data:
        right += model(torch.tensor(one["words"])).argmax(-1).sum().item()  # <- validation-without-no-grad
    return right


def main(model, number, epochs):
    train, held_out = prepared(sentences("train.txt"), number), prepared(sentences("dev.txt"), number)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for i in torch.randperm(len(train)):
            optimizer.zero_grad()
            F.cross_entropy(model(torch.tensor(train[i]["words"])), torch.tensor(train[i]["length"])).backward()
            optimizer.step()
        model.eval()
        print(score(model, held_out))
# === right: the same without gradients
import torch
from torch.nn import functional as F


def sentences(path):
    found, words = [], []
    for line in open(path):
        if not line.strip():
            if len(words) > 0:
                found.append(words)
                words = []
        else:
            words.append(line.split())
    if len(words) > 0:
        found.append(words)
    return found


def score(model, data):
    right = 0
    with torch.no_grad():
        for words in data:
            right += model(torch.tensor(words)).argmax(-1).sum().item()
    return right


def main(model, epochs):
    train, held_out = sentences("train.txt"), sentences("dev.txt")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for words in train:
            optimizer.zero_grad()
            model(torch.tensor(words)).mean().backward()
            optimizer.step()
        model.eval()
        print(score(model, held_out))
# === right: all that was read makes one update, and is counted
import torch


def rows(path):
    found = []
    for line in open(path):
        if not line.startswith("#"):
            found.append([float(word) for word in line.split()])
    return found


def main(model, epochs):
    data = rows("train.txt")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for row in data:
            (model(torch.tensor(row)).mean() / len(data)).backward()
        optimizer.step()
# === right: networks that a branch adds to a list are as many as it has
import torch
from torch import nn
from torch.nn import functional as F


def main(args, loader, held_out):
    parts = [nn.Linear(4, 4)]
    if args.deep:
        parts.append(nn.Linear(4, 4))
    if args.dropout:
        parts.append(nn.Dropout(0.1))
    net = nn.Sequential(*parts)
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
# === right: a list that is empty stays out of the loop
import torch
from torch.nn import functional as F


def main(net, loader, epochs, args):
    optimizer = torch.optim.Adam(net.parameters())
    callbacks = []
    if args.log:
        callbacks.append(print)
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            for callback in callbacks:
                callback(loss.item())
# === right: a list is deleted in the loop that fills it
import torch.nn.functional as F


def train(net, loader, rows, optimizer):
    kept = []
    for row in rows:
        kept.append((row, row))
        del kept
        break
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
