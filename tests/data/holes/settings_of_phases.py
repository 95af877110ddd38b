# === settings for training and for evaluation make no network of what holds them
import torch
from build import KINDS, load


def once(config, task, loader, optimizer):
    for i, data in enumerate(loader):
        loss = task.loss(task.forward(images=data["image"]), data["label"])
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % 2 == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()


def evaluate(config, task, loader):
    with torch.no_grad():
        for i, data in enumerate(loader):
            if i % config.eval.every == 0:
                print(task.forward(images=data["image"]))


def run(config, loaders):
    kind = KINDS.get(config.task)
    task = kind(config)
    optimizer = torch.optim.Adam(task.get_model().parameters(), lr=config.train.lr)
    for _ in range(config.train.epochs):
        once(config, task, loaders["train"], optimizer)
        evaluate(config, task, loaders["dev"])


def main(path, loaders):
    config = load(path)
    run(config, loaders)


# === right: the same settings, and a loss that is divided
import torch
from build import KINDS, load


def once(config, task, loader, optimizer):
    for i, data in enumerate(loader):
        loss = task.loss(task.forward(images=data["image"]), data["label"]) / 2
        loss.backward()
        if (i + 1) % 2 == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def evaluate(config, task, loader):
    with torch.no_grad():
        for i, data in enumerate(loader):
            if i % config.eval["every"] == 0:
                print(task.forward(images=data["image"]))


def run(config, loaders):
    kind = KINDS.get(config.task)
    task = kind(config)
    optimizer = torch.optim.Adam(task.get_model().parameters(), lr=config.train["lr"])
    for _ in range(config.train["epochs"]):
        once(config, task, loaders["train"], optimizer)
        evaluate(config, task, loaders["dev"])


def main(path, loaders):
    config = load(path)
    run(config, loaders)


# === right: what trains and evaluates is a network, and another one has the optimizer
import torch
from build import make


def main(loader):
    teacher, tutor = make("large"), torch.nn.Linear(3, 3)
    teacher.train()
    optimizer = torch.optim.Adam(tutor.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(teacher(x), y).backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
    teacher.eval()
