import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from sam import SAM
from wide_res_net import WideResNet


def disable_running_stats(model):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.backup_momentum = m.momentum
            m.momentum = 0


def enable_running_stats(model):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d) and hasattr(m, "backup_momentum"):
            m.momentum = m.backup_momentum


def main(epochs=200, rho=2.0):
    device = torch.device("cuda")
    tf = transforms.Compose([transforms.RandomCrop(32, 4), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    loader = DataLoader(datasets.CIFAR100("data", transform=tf), batch_size=128, shuffle=True, num_workers=4)
    model = WideResNet(depth=28, width=10, classes=100).to(device)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=rho, adaptive=True, lr=0.1, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer.base_optimizer, epochs)
    for epoch in range(epochs):
        model.train()
        for inputs, targets in loader:
            inputs, targets = inputs.to(device), targets.to(device)

            enable_running_stats(model)
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.first_step(zero_grad=True)

            disable_running_stats(model)
            criterion(model(inputs), targets).backward()
            optimizer.second_step(zero_grad=True)
        scheduler.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
