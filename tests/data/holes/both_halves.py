# === one function trains and evaluates, and returns from within the evaluation
import torch


def run_epoch(net, opt, train_data, val_data=None):
    total = 0.0
    for x, y in train_data:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
    if val_data:
        net.eval()
        val = 0.0
        for x, y in val_data:
            val += torch.nn.functional.mse_loss(net(x), y).item()  # <- validation-without-no-grad
        return total, val
    return total, None


def train(folds, epochs):
    train_loaders, val_loaders = folds.loaders(batch_size=3)
    for fold in range(len(train_loaders)):
        net = torch.nn.Linear(3, 1)
        opt = torch.optim.Adam(net.parameters())
        for epoch in range(epochs):
            net.train()
            run_epoch(net, opt, train_loaders[fold], val_loaders[fold])
# === right: under no_grad
import torch


def run_epoch(net, opt, train_data, val_data=None):
    total = 0.0
    for x, y in train_data:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
    if val_data:
        net.eval()
        val = 0.0
        with torch.no_grad():
            for x, y in val_data:
                val += torch.nn.functional.mse_loss(net(x), y).item()
        return total, val
    return total, None


def train(folds, epochs):
    train_loaders, val_loaders = folds.loaders(batch_size=3)
    for fold in range(len(train_loaders)):
        net = torch.nn.Linear(3, 1)
        opt = torch.optim.Adam(net.parameters())
        for epoch in range(epochs):
            net.train()
            run_epoch(net, opt, train_loaders[fold], val_loaders[fold])
# === what it puts into evaluation mode nobody puts back
import torch


def run_epoch(net, opt, train_data, val_data=None):
    total = 0.0
    for x, y in train_data:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
    if val_data is not None:
        net.eval()  # <- missing-train-mode
        val = 0.0
        with torch.no_grad():
            for x, y in val_data:
                val += torch.nn.functional.mse_loss(net(x), y).item()
        return total, val
    return total, None


def train(train_loader, val_loader, epochs):
    net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 1))
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        run_epoch(net, opt, train_loader, val_loader)
# === right: who only evaluates leaves before the training
import torch


def run_epoch(net, opt, data, test=False):
    if test:
        net.eval()
        with torch.no_grad():
            return sum(torch.nn.functional.mse_loss(net(x), y).item() for x, y in data)
    net.train()
    total = 0.0
    for x, y in data:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
    return total
