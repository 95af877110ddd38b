import collections

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from shapes.data import ShapeNetParts
from shapes.model import DGCNN


class Meters(collections.defaultdict):
    def __init__(self):
        super().__init__(list)

    def add(self, **values):
        for name, value in values.items():
            self[name].append(float(value))

    def mean(self):
        return {name: sum(v) / len(v) for name, v in self.items()}


def train_epoch(model, loader, optimizer, device):
    model.train()
    meters = Meters()
    total = torch.zeros((), device=device)
    for points, labels in loader:
        points, labels = points.to(device), labels.to(device)
        logits, transform = model(points)
        segmentation = F.cross_entropy(logits, labels)
        identity = torch.eye(transform.size(-1), device=device)
        regulariser = 1e-3 * (transform @ transform.transpose(1, 2) - identity).square().mean()
        loss = segmentation + regulariser
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
        meters.add(segmentation=segmentation, regulariser=regulariser.detach())
    return (total / len(loader)).item(), meters.mean()


if __name__ == "__main__":
    device = torch.device("cuda")
    loader = DataLoader(ShapeNetParts("train"), batch_size=32, shuffle=True, drop_last=True)
    model = nn.DataParallel(DGCNN(parts=50)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 200, eta_min=1e-3)
    for epoch in range(200):
        print(epoch, *train_epoch(model, loader, optimizer, device))
        scheduler.step()
