import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from robust.preact import PreActResNet18


def pgd(model, x, y, eps=8 / 255, alpha=2 / 255, steps=10):
    delta = torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model((x + delta).clamp(0, 1)), y)
        (grad,) = torch.autograd.grad(loss, delta)
        delta = (delta.detach() + alpha * grad.sign()).clamp(-eps, eps)
    return (x + delta).clamp(0, 1).detach()


def robust_accuracy(model, loader):
    model.eval()
    hits = 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        adversarial = pgd(model, x, y, steps=20)
        with torch.no_grad():
            hits += (model(adversarial).argmax(1) == y).sum().item()
    return hits / len(loader.dataset)


def main(epochs=110):
    aug = transforms.Compose([transforms.RandomCrop(32, 4), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    train = DataLoader(datasets.CIFAR10("data", True, aug), 128, shuffle=True, num_workers=4)
    test = DataLoader(datasets.CIFAR10("data", False, transforms.ToTensor()), 256, num_workers=4)
    model = PreActResNet18().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [100, 105])
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for x, y in train:
            x, y = x.cuda(), y.cuda()
            adversarial = pgd(model, x, y)
            loss = criterion(model(adversarial), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"{epoch} robust {robust_accuracy(model, test):.4f}")


if __name__ == "__main__":
    main()
