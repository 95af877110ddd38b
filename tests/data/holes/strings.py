# === model is a path, clip after step
import torch
import torch.nn.functional as F


def train(model="resnet18", loader=None, accum=4):
    net = build(model)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # <- clip-after-step
# === the encoder is a string, undivided
import torch
import torch.nn.functional as F
from transformers import AutoModel


def main(loader, accum, encoder: str = "bert-base-uncased"):
    network = AutoModel.from_pretrained(encoder)
    optimizer = torch.optim.AdamW(network.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(network(x).pooler_output, y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === base_model is a string and a network is made of it
import timm
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

base_model = "vit_base_patch16_224"


def main(loader, accum):
    net = timm.create_model(base_model, pretrained=True)
    net = DDP(net)
    optimizer = torch.optim.AdamW(net.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(net(x), y) / accum
        loss.backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === optimizer is a string first
import torch
import torch.nn.functional as F


def main(loader, model, optimizer="adam", accum=4):
    if optimizer == "adam":
        opt = torch.optim.Adam(model.parameters())
    else:
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()  # <- zero-grad-in-accumulation
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
# === a string turned into a network of the same name
import torch
import torch.nn.functional as F

MODELS = {"small": torch.nn.Linear, "large": torch.nn.Bilinear}


def main(loader, scaler, model="small"):
    model = MODELS[model](8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === right: model is a path
import torch
import torch.nn.functional as F


def train(model="resnet18", loader=None, accum=4):
    net = build(model)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
    print(f"trained {model}")
# === right: asked for by its name in the loop
import torch
import torch.nn.functional as F


def train(net, loader, optimizer, model="vae"):
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        if model == "vae":
            loss = F.mse_loss(out[0], y) + out[1]
        else:
            loss = F.mse_loss(out, y)
        loss.backward()
        optimizer.step()
        record(model, float(loss))
# === a string in the loop is no second model
import torch
import torch.nn.functional as F


def train(net, loader, optimizer, tracker, accum, model: str = "vit"):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(net(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        tracker.write_row(model, float(loss))
        tracker.push(model, i)
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the scheduler is a string
import torch
import torch.nn.functional as F


def train(net, loader, accum, updates, scheduler="cosine"):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if scheduler == "cosine":
        lr = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    else:
        lr = torch.optim.lr_scheduler.StepLR(optimizer, updates // 3)
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(net(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        lr.step()  # <- scheduler-per-micro-batch
# === the model's name decides which model is made
import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model: str, optimizer: str, accum: int):
        self.model = model
        self.network = DDP(make(self.model))
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.1)
        self.accum = accum

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(self.network(x), y) / self.accum).backward()  # <- missing-no-sync
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === right: evaluation of a model that is told by its name
import torch
import torch.nn.functional as F


def train(net, loader, optimizer, accum, report, model: str):
    for epoch in range(3):
        net.train()
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(net(x), y) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        net.eval()
        with torch.no_grad():
            report(model, [net(x) for x, _ in loader])
