# === right: a resumed count tells in both branches, and steps in one of them
import torch
from torch.nn.parallel import DistributedDataParallel


def fit(net, loader, saved, every, total):
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters())
    count = torch.load(saved)["count"] if saved else 0
    updates = 0
    while True:
        for x, y in loader:
            if (count + 1) % every != 0:
                with model.no_sync():
                    loss = torch.nn.functional.mse_loss(model(x), y) / every
                    loss.backward()
            else:
                loss = torch.nn.functional.mse_loss(model(x), y) / every
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
            count += 1
            if updates >= total:
                return
# === the same, where nothing is divided
import torch
from torch.nn.parallel import DistributedDataParallel


def fit(net, loader, saved, every, total):
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters())
    count = torch.load(saved)["count"] if saved else 0
    updates = 0
    while True:
        for x, y in loader:
            if (count + 1) % every != 0:
                with model.no_sync():
                    loss = torch.nn.functional.mse_loss(model(x), y)
                    loss.backward()  # <- unscaled-accumulation-loss
            else:
                loss = torch.nn.functional.mse_loss(model(x), y)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
            count += 1
            if updates >= total:
                return
# === right: the count comes from who calls
import torch


def fit(net, loader, every, count):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(net(x), y) / every
            if count % every == every - 1:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()
            count += 1
# === the same count, where nothing is divided
import torch


def fit(net, loader, every, count):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(net(x), y)
            if count % every == every - 1:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            else:
                loss.backward()  # <- unscaled-accumulation-loss
            count += 1
# === right: two losses in turn, from a resumed count
import torch


def fit(net, other, loader, saved, every):
    one = torch.optim.SGD(net.parameters(), lr=0.1)
    two = torch.optim.SGD(other.parameters(), lr=0.1)
    count = torch.load(saved)["count"]
    for x, y in loader:
        if count % every == 0:
            one.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            one.step()
        else:
            two.zero_grad()
            torch.nn.functional.mse_loss(other(x), y).backward()
            two.step()
        count += 1
