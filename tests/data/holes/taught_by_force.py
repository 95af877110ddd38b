# === a decoder that is forced to follow its teacher is no field of forces
import torch
import torch.nn.functional as F


def validate(model, batches, TEACH_FORCE="forced"):
    model.eval()
    total = 0.0
    for x, y in batches:
        total += F.cross_entropy(model(x, mode=TEACH_FORCE), y).item()  # <- validation-without-no-grad
    return total


def train(model, loader, held):
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(9):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x, mode="forced"), y).backward()
            opt.step()
        validate(model, held)
# === right: forces are gradients
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    total = 0.0
    for x, y in batches:
        total += F.mse_loss(model(x, force=True), y).item()
    return total


def train(model, loader, held):
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(9):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x, force=True), y).backward()
            opt.step()
        validate(model, held)
