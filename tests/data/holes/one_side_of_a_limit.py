# === right: seen once while the network holds still, and in each turn later on
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(3, 3, 1)
        self.head = nn.Conv2d(3, 3, 1)

    def segmentation(self, image):
        return self.features(image)


def fit(model, loader, images, optimizer, criterion, epoch, unfreeze, size):
    model.train()
    for batch, scene in loader:
        if epoch < unfreeze:
            model.eval()
            image = model.segmentation(images[scene])
            model.train()
        for i in range(0, len(batch), size):
            if epoch >= unfreeze:
                image = model.segmentation(images[scene])
            loss = criterion(model.head(image), batch[i])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: the epoch is counted here
def fit(model, loader, optimizer, criterion, epochs, unfreeze):
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            if epoch < unfreeze:
                model.eval()
                seen = model.features(x)
                model.train()
            if epoch >= unfreeze:
                seen = model.features(x)
            loss = criterion(model.head(seen), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: no more than a limit, and more than that
def fit(model, loader, optimizer, criterion, args):
    for epoch in range(args.epochs):
        model.train()
        for x, y in loader:
            if epoch <= args.frozen_epochs:
                model.eval()
                seen = model.features(x)
                model.train()
            if epoch > args.frozen_epochs:
                seen = model.features(x)
            loss = criterion(model.head(seen), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: the later half comes first
def fit(model, loader, optimizer, criterion, epochs, unfreeze):
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            if epoch >= unfreeze:
                seen = model.features(x)
            if epoch < unfreeze:
                model.eval()
                seen = model.features(x)
                model.train()
            loss = criterion(model.head(seen), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: cleared in each half
def fit(model, loader, optimizer, criterion, epochs, warm):
    for epoch in range(epochs):
        for x, y in loader:
            if epoch < warm:
                optimizer.zero_grad()
            loss = criterion(model(x), y)
            if epoch >= warm:
                optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === right: asked from the other side
def fit(model, loader, optimizer, criterion, epochs, unfreeze):
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            if unfreeze > epoch:
                model.eval()
                seen = model.features(x)
                model.train()
            if epoch >= unfreeze:
                seen = model.features(x)
            loss = criterion(model.head(seen), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === seen anew whatever the epoch is: nothing goes back through the first
def fit(model, loader, optimizer, criterion, epochs, unfreeze):
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            if epoch < unfreeze:
                model.eval()
                shown = model(x)  # <- validation-without-no-grad
                print(shown.argmax(1))
                model.train()
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
# === a half of them is never divided
def fit(model, loader, optimizer, criterion, epochs, warm, accum):
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x), y)
            if epoch < warm:
                (loss / accum).backward()
            if epoch >= warm:
                loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === the second half clears too late
def fit(model, loader, optimizer, criterion, epochs, warm):
    for epoch in range(epochs):
        for x, y in loader:
            if epoch < warm:
                optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            if epoch >= warm:
                optimizer.zero_grad()  # <- zero-grad-before-step
            optimizer.step()
# === right: a plain number on the left
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, optimizer, accum, world):
    if 1 < world:
        net = DDP(net)
    for i, x in enumerate(loader):
        if world <= 1 or (i + 1) % accum == 0 or i + 1 == len(loader):
            (net(x).mean() / accum).backward()
        else:
            with net.no_sync():
                (net(x).mean() / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
