# === a dictionary of options says how long: in batches
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = {"max_lr": 0.1, "total_steps": epochs * len(loader)}
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
# === a dictionary of options says how long: in updates
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = {"max_lr": 0.1, "total_steps": epochs * -(-len(loader) // accum)}
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()  # <- scheduler-per-micro-batch
# === a dictionary by dict() says how long: in batches
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = dict(max_lr=0.1, total_steps=epochs * len(loader))
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
# === right: a dictionary by dict() has a number, and nobody knows of what
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = dict(max_lr=0.1, total_steps=5000)
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
# === a dictionary by dict() has a number of updates
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = 5000
    options = dict(max_lr=0.1, total_steps=updates)
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()  # <- scheduler-per-micro-batch
# === an entry is added: in batches
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = {"max_lr": 0.1}
    options["total_steps"] = epochs * len(loader)
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
# === an entry is added: in updates
import torch
from torch.optim.lr_scheduler import OneCycleLR


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    options = {"max_lr": 0.1}
    options["total_steps"] = epochs * len(loader) // accum
    schedule = OneCycleLR(optimizer, **options)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()  # <- scheduler-per-micro-batch
# === a function hands options on: in batches
import torch
from torch.optim.lr_scheduler import OneCycleLR


def make(optimizer, **options):
    return OneCycleLR(optimizer, max_lr=0.1, **options)


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = make(optimizer, epochs=epochs, steps_per_epoch=len(loader))
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
# === a function hands options on: in updates
import torch
from torch.optim.lr_scheduler import OneCycleLR


def make(optimizer, **options):
    return OneCycleLR(optimizer, max_lr=0.1, **options)


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = make(optimizer, total_steps=epochs * len(loader) // accum)
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()  # <- scheduler-per-micro-batch
# === a function adds to the options: in batches
import torch
from torch.optim.lr_scheduler import OneCycleLR


def make(optimizer, **options):
    merged = {**options, "pct_start": 0.1}
    return OneCycleLR(optimizer, max_lr=0.1, **merged)


def train(model, loader, epochs, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = make(optimizer, epochs=epochs, steps_per_epoch=len(loader))
    for epoch in range(epochs):
        for n, (x, y) in enumerate(loader, 1):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            loss.backward()
            if n % accum == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            schedule.step()
