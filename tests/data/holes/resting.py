# === right: the function that trains says eval at its head, and an evaluation inside says it again
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in batches:
            total += F.mse_loss(model(x), y).item()
    return total


def train(model, batches, held_out, optimizer):
    model.eval()  # dropout hurts regression
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
        if i % 50 == 49:
            print(validate(model, held_out))


def main(model, batches, held_out, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        train(model, batches, held_out, optimizer)


# === right: each epoch begins in eval mode, and ends with an evaluation
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    with torch.no_grad():
        return sum(F.mse_loss(model(x), y).item() for x, y in batches)


def main(model, batches, held_out, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        model.eval()
        for i, (x, y) in enumerate(batches):
            F.mse_loss(model(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
            if i % 50 == 49:
                print(validate(model, held_out))


# === the function that trains says train at its head
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in batches:
            total += F.mse_loss(model(x), y).item()
    return total


def train(model, batches, held_out, optimizer):
    model.train()
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
        if i % 50 == 49:
            print(validate(model, held_out))  # <- missing-train-mode


def main(model, batches, held_out, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        train(model, batches, held_out, optimizer)


# === the network is made anew, and trains when it is evaluated for the first time
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in batches:
            total += F.mse_loss(model(x), y).item()
    return total


def train(model, batches, held_out, optimizer):
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
        if i % 50 == 49:
            print(validate(model, held_out))  # <- missing-train-mode


def main(batches, held_out, epochs):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        train(model, batches, held_out, optimizer)


# === the function that evaluates ahead of all epochs says eval, too
import torch
import torch.nn.functional as F


def validate(model, batches):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in batches:
            total += F.mse_loss(model(x), y).item()
    return total


def main(batches, held_out, epochs):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(validate(model, held_out))
    for _ in range(epochs):
        for x, y in batches:
            F.mse_loss(model(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
        print(validate(model, held_out))  # <- missing-train-mode
