# === limit equal to the window by a number
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        if i == 4:
            break
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
# === range as long as the window
import torch
import torch.nn.functional as F

ACCUM = 8
STEPS = 8


def train(model, get_batch, optimizer):
    for i in range(STEPS):
        x, y = get_batch()
        F.cross_entropy(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
# === limit by name, clip per micro-batch
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum_steps, max_steps):
    for step, (x, y) in enumerate(loader, 1):
        (F.mse_loss(model(x), y) / accum_steps).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
        if step % accum_steps == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
        if step >= max_steps:
            break
# === updates counted up to a number equal to the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    updates = 0
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()  # <- zero-grad-in-accumulation
        (F.mse_loss(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            updates += 1
        if updates == 4:
            break
# === dataset of the size of the window
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def main():
    data = TensorDataset(torch.randn(32, 4), torch.randn(32, 1))
    loader = DataLoader(data, batch_size=8)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for i, (x, y) in enumerate(loader):
            loss = F.mse_loss(model(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()


main()
# === right: limit equal to the window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            if i == 4:
                break
            (F.cross_entropy(model(x), y) / 4).backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
# === right: a smoke test of four steps, no window
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if i == 3:
            break
# === right: limit in updates
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, accum, max_updates=4):
    updates = 0
    while updates < max_updates:
        for i, (x, y) in enumerate(loader):
            (F.mse_loss(model(x), y) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
                if updates == max_updates:
                    break
# === a data set of this file, one batch too many
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Toy(Dataset):
    def __init__(self):
        self.x = torch.randn(36, 4)

    def __len__(self):
        return 36

    def __getitem__(self, index):
        return self.x[index], self.x[index].sum()


loader = DataLoader(Toy(), batch_size=4)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / 4).backward()
        if (i + 1) % 4 == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === right: a data set of this file
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Toy(Dataset):
    def __init__(self):
        self.x = torch.randn(36, 4)

    def __len__(self):
        return 36

    def __getitem__(self, index):
        return self.x[index], self.x[index].sum()


loader = DataLoader(Toy(), batch_size=4, drop_last=True)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, (x, y) in enumerate(loader):
        (F.mse_loss(model(x), y) / 3).backward()
        if (i + 1) % 3 == 0:
            optimizer.step()
            optimizer.zero_grad()
