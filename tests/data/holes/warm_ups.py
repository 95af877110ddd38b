# === a warm-up of several epochs, and only the main loop tells the sampler
import torch
from torch.utils.data import DataLoader, DistributedSampler


def run(net, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def main(net, head, dataset, epochs):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset))
    warm = torch.optim.SGD(head.parameters(), lr=0.1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(5):  # <- missing-set-epoch
        run(net, loader, warm)
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        run(net, loader, optimizer)


# === the main loop tells the sampler, and a last stage does not
import torch
from torch.utils.data import DataLoader, DistributedSampler


def main(net, dataset, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
    for epoch in range(3):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()


# === right: both tell it, one of them in a helper
import torch
from torch.utils.data import DataLoader, DistributedSampler


def run(net, loader, optimizer, epoch):
    loader.sampler.set_epoch(epoch)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def main(net, dataset, optimizer, epochs):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset))
    for epoch in range(5):
        loader.sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
    for epoch in range(5, epochs):
        run(net, loader, optimizer, epoch)


# === right: a warm-up of one pass has one shuffle
import torch
from torch.utils.data import DataLoader, DistributedSampler


def run(net, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


def main(net, dataset, optimizer, epochs):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset))
    run(net, loader, optimizer)
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        run(net, loader, optimizer)


# === right: a stage is told once, and what it goes through for each part of it has one order
import torch
from torch.utils.data import DataLoader, DistributedSampler


def main(net, dataset, optimizer, epochs, rounds):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for part in range(rounds):
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(net(x)[part], y).backward()
                optimizer.step()


# === right: what makes the epochs tells the sampler, behind a warm-up that does so, too
import torch
from torch.utils.data import DataLoader, DistributedSampler


def epochs_of(loader, count):
    for epoch in range(count):
        loader.sampler.set_epoch(epoch)
        yield epoch


def main(net, dataset, optimizer, epochs):
    loader = DataLoader(dataset, batch_size=64, sampler=DistributedSampler(dataset))
    for epoch in epochs_of(loader, 5):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
    for epoch in epochs_of(loader, epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
