# === gradients are off elsewhere in the file, and on in the evaluation
import torch


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()  # <- validation-without-no-grad
    return total


@torch.no_grad()
def predict(model, x):
    return model(x).argmax(1)


def freeze(part):
    for p in part.parameters():
        p.requires_grad = False


def main(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        print(validate(model, held_out, criterion))
# === gradients are off where the evaluation is called
import torch


def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total


def main(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            print(validate(model, held_out, criterion))
# === a word says why gradients stay on in the evaluation
import torch


def train(model, loader, held_out, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in held_out:
            # torch.no_grad() would break the compiled graph here
            total += criterion(model(x), y).item()
        print(total)
