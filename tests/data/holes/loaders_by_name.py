# === a loader of each task, each begun anew where it ends
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if counts[task] % len(loaders[task]) == 0:
        sources[task] = iter(loaders[task])  # <- missing-set-epoch
    counts[task] += 1
    x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {task: None for task in tasks}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: all are told in each epoch
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if counts[task] % len(loaders[task]) == 0:
        sources[task] = iter(loaders[task])
    counts[task] += 1
    x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {task: None for task in tasks}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for task in tasks:
            loaders[task].sampler.set_epoch(epoch)
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: they are told one after the other
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if counts[task] % len(loaders[task]) == 0:
        sources[task] = iter(loaders[task])
    counts[task] += 1
    x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {task: None for task in tasks}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for one in loaders.values():
            one.sampler.set_epoch(epoch)
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: each is told where it begins anew
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if counts[task] % len(loaders[task]) == 0:
        loaders[task].sampler.set_epoch(counts[task] // len(loaders[task]))
        sources[task] = iter(loaders[task])
    counts[task] += 1
    x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {task: None for task in tasks}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === each is begun anew when it stops
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if task not in sources:
        sources[task] = iter(loaders[task])
    try:
        x, y = next(sources[task])
    except StopIteration:
        sources[task] = iter(loaders[task])  # <- missing-set-epoch
        x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: it is told how often
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if task not in sources:
        sources[task] = iter(loaders[task])
    try:
        x, y = next(sources[task])
    except StopIteration:
        loaders[task].sampler.set_epoch(counts[task])
        sources[task] = iter(loaders[task])
        x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: each is begun once
import torch
from torch.utils.data import DataLoader, DistributedSampler


def build(tasks, data):
    loaders = {}
    for task in tasks:
        loaders[task] = DataLoader(data[task], sampler=DistributedSampler(data[task]), batch_size=8)
    return loaders


def next_loss(net, task, loaders, sources, counts):
    if sources[task] is None:
        sources[task] = iter(loaders[task])
    counts[task] += 1
    x, y = next(sources[task])
    return torch.nn.functional.cross_entropy(net(x), y)


def main(net, tasks, data, epochs, steps):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = build(tasks, data)
    sources = {task: None for task in tasks}
    counts = {task: 0 for task in tasks}
    for epoch in range(epochs):
        for step in range(steps):
            for task in tasks:
                loss = next_loss(net, task, loaders, sources, counts)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# === right: each is gone through once
import torch
from torch.utils.data import DataLoader, DistributedSampler


def main(net, names, data):
    optimizer = torch.optim.Adam(net.parameters())
    loaders = {}
    for name in names:
        loaders[name] = DataLoader(data[name], sampler=DistributedSampler(data[name]), batch_size=8)
    for name in names:
        for x, y in loaders[name]:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
