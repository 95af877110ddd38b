# === a window that a dictionary of numbers names: what is logged is divided, the loss is not
import torch
from torch import nn

cfg = {"micro_batches": 5, "updates": 4}


def train(stream):
    model = nn.Linear(8, 1)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for update in range(cfg["updates"]):
        opt.zero_grad()
        mean = 0.0
        for _ in range(cfg["micro_batches"]):
            x, y = next(stream)
            loss = nn.functional.mse_loss(model(x), y)
            mean += loss.detach() / cfg["micro_batches"]
            loss.backward()  # <- unscaled-accumulation-loss
        opt.step()
        print(update, mean.item())
# === a window in a dictionary of dictionaries
import torch
from torch import nn

conf = {"train": {"grad_accum": 4, "lr": 1e-3}}


def train(stream, updates=10):
    model = nn.Linear(8, 1)
    opt = torch.optim.SGD(model.parameters(), lr=conf["train"]["lr"])
    for update in range(updates):
        for _ in range(conf["train"]["grad_accum"]):
            x, y = next(stream)
            nn.functional.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        opt.step()
        opt.zero_grad()
# === right: the loss is divided by it
import torch
from torch import nn

cfg = {"micro_batches": 5, "updates": 4}


def train(stream):
    model = nn.Linear(8, 1)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for update in range(cfg["updates"]):
        opt.zero_grad()
        mean = 0.0
        for _ in range(cfg["micro_batches"]):
            x, y = next(stream)
            loss = nn.functional.mse_loss(model(x), y) / cfg["micro_batches"]
            mean += loss.detach()
            loss.backward()
        opt.step()
        print(update, mean.item())
# === right: a dictionary that names no window, where the sum may be meant
import torch
from torch import nn

cfg = {"tasks": 5, "updates": 4}


def train(stream):
    model = nn.Linear(8, 1)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for update in range(cfg["updates"]):
        opt.zero_grad()
        for _ in range(cfg["tasks"]):
            x, y = next(stream)
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
        opt.step()
