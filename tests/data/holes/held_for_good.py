# === parameters are held still before the optimizer is made, and the evaluation keeps graphs
import torch
from torch.nn import functional as F


def main(model, loader, held_out, args):
    if args.pretrained:
        for param in model.parameters():
            param.requires_grad = False
    model.head = torch.nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters() if not args.pretrained else model.head.parameters())
    for epoch in range(args.epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in held_out:
            total += F.cross_entropy(model(x), y).item()  # <- validation-without-no-grad
        print(total)
# === right: the same under no_grad
import torch
from torch.nn import functional as F


def main(model, loader, held_out, args):
    if args.pretrained:
        for param in model.parameters():
            param.requires_grad = False
    model.head = torch.nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters() if not args.pretrained else model.head.parameters())
    for epoch in range(args.epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in held_out:
                total += F.cross_entropy(model(x), y).item()
        print(total)
# === some are held still by name where a helper evaluates
import torch
from torch.nn import functional as F


def evaluate(model, held_out):
    model.eval()
    for x, y in held_out:
        print(F.cross_entropy(model(x), y).item())  # <- validation-without-no-grad
    model.train()


def main(model, loader, held_out, frozen, epochs):
    for key, value in dict(model.named_parameters()).items():
        if key in frozen:
            value.requires_grad = False
    groups = [{"params": [value]} for value in model.parameters() if value.requires_grad]
    optimizer = torch.optim.AdamW(groups, lr=1e-4)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        evaluate(model, held_out)
# === right: held still while it is evaluated, before the optimizer of the next task is made
import torch
from torch.nn import functional as F


def main(model, tasks, held_out):
    for loader in tasks:
        for p in model.parameters():
            p.requires_grad = False
        model.eval()
        for x, y in held_out:
            print(F.cross_entropy(model(x), y).item())
        for p in model.parameters():
            p.requires_grad = True
        model.train()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
# === right: held still when the training is over, and evaluated so
import torch
from torch.nn import functional as F


def main(model, loader, held_out):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    for p in model.parameters():
        p.requires_grad = False
    model.eval()
    for x, y in held_out:
        print(F.cross_entropy(model(x), y).item())
# === right: held still before an attack is optimized on its input
import torch
from torch.nn import functional as F


def attack(model, x, y, steps):
    for p in model.parameters():
        p.requires_grad = False
    model.eval()
    delta = torch.zeros_like(x).requires_grad_()
    optimizer = torch.optim.SGD([delta], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        (-F.cross_entropy(model(x + delta), y)).backward()
        optimizer.step()
    return [model(x + delta) for _ in range(2)]


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    for x, y in loader:
        attack(model, x, y, 3)
