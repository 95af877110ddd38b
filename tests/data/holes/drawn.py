# === batches drawn from a loader by a generator expression
import torch
from torch import nn
from torch.utils.data import DataLoader


class Batch:
    def __init__(self, source, target):
        self.source = source
        self.target = target


def run_epoch(batches, model, optimizer, scheduler, accum):
    for i, batch in enumerate(batches):
        loss = nn.functional.cross_entropy(model(batch.source), batch.target) / accum
        loss.backward()
        if i % accum == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()  # <- scheduler-per-micro-batch


def train(model, data, config):
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=config["updates"])
    loader = DataLoader(data, batch_size=8)
    for _ in range(config["epochs"]):
        model.train()
        run_epoch((Batch(b[0], b[1]) for b in loader), model, optimizer, scheduler, config["accum"])
# === drawn so, and right
import torch
from torch import nn
from torch.utils.data import DataLoader


def run_epoch(batches, model, optimizer, accum):
    for i, (source, target) in enumerate(batches, 1):
        loss = nn.functional.cross_entropy(model(source), target) / accum
        loss.backward()
        if i % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()
    optimizer.zero_grad()


def train(model, data, config):
    optimizer = torch.optim.Adam(model.parameters())
    loader = DataLoader(data, batch_size=8)
    for _ in range(config["epochs"]):
        run_epoch(((b["source"].cuda(), b["target"].cuda()) for b in loader), model, optimizer, config["accum"])
