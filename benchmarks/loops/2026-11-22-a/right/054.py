import numpy as np
import torch
import torch.nn as nn
from opacus import PrivacyEngine
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus.validators import ModuleValidator
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms

MAX_PHYSICAL_BATCH_SIZE = 128
EPSILON, DELTA, MAX_GRAD_NORM = 8.0, 1e-5, 1.2


def train(model, loader, optimizer, epoch, engine, device):
    model.train()
    criterion = nn.CrossEntropyLoss()
    losses, accs = [], []
    with BatchMemoryManager(
        data_loader=loader, max_physical_batch_size=MAX_PHYSICAL_BATCH_SIZE, optimizer=optimizer
    ) as physical:
        for i, (images, target) in enumerate(physical):
            optimizer.zero_grad()
            images, target = images.to(device), target.to(device)
            output = model(images)
            loss = criterion(output, target)
            losses.append(loss.item())
            accs.append((output.argmax(1) == target).float().mean().item())
            loss.backward()
            optimizer.step()
            if (i + 1) % 200 == 0:
                print(f"epoch {epoch} loss {np.mean(losses):.4f} acc {np.mean(accs):.4f} "
                      f"eps {engine.get_epsilon(DELTA):.2f}")


def main(epochs=20, batch_size=1024):
    device = torch.device("cuda")
    data = datasets.CIFAR10("data", download=True, transform=transforms.ToTensor())
    loader = DataLoader(data, batch_size=batch_size)
    model = ModuleValidator.fix(models.resnet18(num_classes=10)).to(device)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private_with_epsilon(
        module=model, optimizer=optimizer, data_loader=loader, epochs=epochs,
        target_epsilon=EPSILON, target_delta=DELTA, max_grad_norm=MAX_GRAD_NORM,
    )
    for epoch in range(epochs):
        train(model, loader, optimizer, epoch + 1, engine, device)


if __name__ == "__main__":
    main()
