# === a loss is added up as a number, or as what it is where it is one already
import torch
import torch.nn.functional as F


def distil(logits, labels, teacher):
    kd = F.kl_div(F.log_softmax(logits, dim=1), F.softmax(teacher, dim=1)) if teacher is not None else 0.0
    ce = F.cross_entropy(logits, labels)
    return kd + ce, kd


def main(model, loader, optimizer):
    total = 0
    for x, labels, teacher in loader:
        loss, kd = distil(model(x), labels, teacher)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if isinstance(kd, float):
            total += kd * x.shape[0]
        else:
            total += kd.item() * x.shape[0]
    print(total)
# === the same the other way round
import torch
import torch.nn.functional as F


def distil(logits, labels, teacher):
    kd = F.kl_div(F.log_softmax(logits, dim=1), F.softmax(teacher, dim=1)) if teacher is not None else 0.0
    ce = F.cross_entropy(logits, labels)
    return kd + ce, kd


def main(model, loader, optimizer):
    total = 0
    for x, labels, teacher in loader:
        loss, kd = distil(model(x), labels, teacher)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if isinstance(kd, float):
            total += kd.item() * x.shape[0]
        else:
            total += kd * x.shape[0]  # <- loss-graph-leak
    print(total)
# === the losses of one batch in a dictionary, some of them numbers
import torch


def main(model, loader, optimizer):
    totals = {}
    for x, y in loader:
        losses = {"ce": torch.nn.functional.cross_entropy(model(x), y), "lr": optimizer.param_groups[0]["lr"]}
        optimizer.zero_grad()
        losses["ce"].backward()
        optimizer.step()
        for name, value in losses.items():
            totals[name] = totals.get(name, 0) + (value if isinstance(value, (int, float)) else value.item())
    print(totals)
# === the loss of a closure, by a helper that takes numbers, too
import numbers

import torch


def item(x):
    return x if isinstance(x, numbers.Number) else x.item()


def main(model, loader, optimizer):
    def closure():
        optimizer.zero_grad()
        loss = model(next(loader)).mean()
        loss.backward()
        return loss

    losses = []
    for _ in range(100):
        loss = optimizer.step(closure)
        losses.append(item(loss))
    print(losses)
# === what somebody out of sight returns may be a number
import torch

from settings import weight_of


def main(model, loader, optimizer):
    total = 0
    for x, y in loader:
        weight = weight_of(x)
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if isinstance(weight, float):
            total += loss * weight  # <- loss-graph-leak
        else:
            total += loss.item()
    print(total)
