import argparse

import numpy as np
import torch
from opacus import PrivacyEngine
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus.validators import ModuleValidator
from torch import nn
from torchvision import models

from private.data import cifar_loaders


def run_epoch(model, loader, optimizer, criterion, device, physical):
    model.train()
    losses = []
    with BatchMemoryManager(
        data_loader=loader, max_physical_batch_size=physical, optimizer=optimizer
    ) as memory_safe:
        for images, target in memory_safe:
            optimizer.zero_grad()
            output = model(images.to(device))
            loss = criterion(output, target.to(device))
            losses.append(loss.item())
            loss.backward()
            optimizer.step()
    return float(np.mean(losses))


@torch.no_grad()
def test(model, loader, device):
    model.eval()
    hits = [(model(x.to(device)).argmax(1).cpu() == y).float().mean().item() for x, y in loader]
    return float(np.mean(hits))


def main(args):
    device = torch.device("cuda")
    model = ModuleValidator.fix(models.resnet18(num_classes=10)).to(device)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr)
    train_loader, test_loader = cifar_loaders(args.batch_size)
    engine = PrivacyEngine()
    model, optimizer, train_loader = engine.make_private_with_epsilon(
        module=model,
        optimizer=optimizer,
        data_loader=train_loader,
        epochs=args.epochs,
        target_epsilon=args.epsilon,
        target_delta=1e-5,
        max_grad_norm=args.max_grad_norm,
    )
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        loss = run_epoch(model, train_loader, optimizer, criterion, device, args.physical)
        print(epoch, loss, test(model, test_loader, device), engine.get_epsilon(1e-5))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--physical", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--epsilon", type=float, default=50.0)
    parser.add_argument("--max-grad-norm", type=float, default=1.2)
    main(parser.parse_args())
