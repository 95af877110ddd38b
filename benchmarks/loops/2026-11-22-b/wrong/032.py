import torch
import torch.nn.functional as F
from torch import nn, optim


def input_saliency(model, images, labels):
    images = images.clone().requires_grad_(True)
    score = model(images).gather(1, labels[:, None]).sum()
    score.backward()
    saliency = images.grad.abs().amax(dim=1)
    model.zero_grad()
    return saliency


class SaliencyWriter:
    def __init__(self, writer, every):
        self.writer = writer
        self.every = every

    def __call__(self, model, images, labels, seen):
        if seen % self.every == 0:
            heat = input_saliency(model, images[:8], labels[:8])
            self.writer.add_images("saliency", heat[:, None], seen)


def train(model: nn.Module, stream, writer, *, updates: int, accum: int = 16, lr: float = 0.05):
    device = next(model.parameters()).device
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    probe = SaliencyWriter(writer, every=50)
    seen = 0
    model.train()
    optimizer.zero_grad()
    for update in range(updates):
        for _ in range(accum):
            images, labels = next(stream)
            images, labels = images.to(device), labels.to(device)
            loss = F.cross_entropy(model(images), labels) / accum
            loss.backward()
            seen += 1
            probe(model, images, labels, seen)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if update % 20 == 0:
            writer.add_scalar("lr", scheduler.get_last_lr()[0], update)
    return model
