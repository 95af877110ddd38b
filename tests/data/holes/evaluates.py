# === no data for training is asked for before the evaluation
import os

import torch
import torch.nn.functional as F


def run(model, loader, accum, seeds=0):
    if seeds == 0 and not os.path.exists("train.bin"):
        return
    if seeds > 0:
        model.eval()
        for x, y in loader:
            with torch.no_grad():
                print(F.mse_loss(model(x), y))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === right: no data for training is asked for before the evaluation
import os

import torch
import torch.nn.functional as F


def run(model, loader, accum, seeds=0):
    if seeds == 0 and not os.path.exists("train.bin"):
        return
    if seeds > 0:
        model.eval()
        for x, y in loader:
            with torch.no_grad():
                print(F.mse_loss(model(x), y))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === only a test, asked for twice
import torch
import torch.nn.functional as F


def main(model, loader, args, data):
    if not args.only_test and data is None:
        return None
    if args.only_test:
        return print(model(next(iter(loader))[0]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model
# === right: only a test, asked for twice
import torch
import torch.nn.functional as F


def main(model, loader, args, data):
    if not args.only_test and data is None:
        return None
    if args.only_test:
        return print(model(next(iter(loader))[0]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / args.accum).backward()
        if (i + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    return model
# === an object that is called, and whose network is put into eval mode
import torch
from rankers import Ranker, make_optimizer


def train(params, loader, valid):
    ranker = Ranker(params)
    model = ranker.model
    optimizer = make_optimizer(model, params)
    model.train()
    for epoch in range(params["epochs"]):
        for query, answer in loader:
            loss, _ = ranker(query, answer)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        evaluate(ranker, valid)  # <- missing-train-mode


def evaluate(ranker, valid):
    ranker.model.eval()
    with torch.no_grad():
        for query, answer in valid:
            ranker(query, answer)
# === the same, put back
import torch
from rankers import Ranker, make_optimizer


def train(params, loader, valid):
    ranker = Ranker(params)
    model = ranker.model
    optimizer = make_optimizer(model, params)
    for epoch in range(params["epochs"]):
        model.train()
        for query, answer in loader:
            loss, _ = ranker(query, answer)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        evaluate(ranker, valid)


def evaluate(ranker, valid):
    ranker.model.eval()
    with torch.no_grad():
        for query, answer in valid:
            ranker(query, answer)
