# === right: what is handed the network and makes a batch may not run it, and each batch wakes it
import torch
import torch.nn.functional as F


def one_batch(model, opt, inputs, labels):
    model.train()
    opt.zero_grad()
    F.cross_entropy(model(inputs), labels).backward()
    opt.step()


def evaluate(model, held):
    model.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(model(x), y).item() for x, y in held)


def train(model, loader, masker, held):
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(9):
        for step, batch in enumerate(loader):
            inputs, labels = masker.mask_tokens(batch, model, step % 9 == 0)
            one_batch(model, opt, inputs, labels)
        evaluate(model, held)
# === what each batch does by itself
import torch
import torch.nn.functional as F


def evaluate(model, held):
    model.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(model(x), y).item() for x, y in held)


def train(model, loader, masker, held):
    opt = torch.optim.Adam(model.parameters())
    model.train()
    for epoch in range(9):
        for step, batch in enumerate(loader):
            inputs, labels = masker.mask_tokens(batch, step % 9 == 0)
            opt.zero_grad()
            F.cross_entropy(model(inputs), labels).backward()
            opt.step()
        evaluate(model, held)  # <- missing-train-mode
