import fire
import numpy as np
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, Subset
from torchvision import datasets, models, transforms


def accuracy(model, loader, device):
    model.eval()
    hits = n = 0
    with torch.inference_mode():
        for x, y in loader:
            hits += (model(x.to(device)).argmax(1).cpu() == y).sum().item()
            n += len(y)
    return hits / n


def main(root="food101", epochs=12, bs=64, max_lr=4e-3, workers=8):
    device = torch.device("cuda")
    aug = transforms.Compose([transforms.RandomResizedCrop(224), transforms.TrivialAugmentWide(), transforms.ToTensor()])
    plain = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor()])
    train_dl = DataLoader(datasets.Food101(root, "train", transform=aug), bs, shuffle=True, num_workers=workers)
    test = datasets.Food101(root, "test", transform=plain)
    test_dl = DataLoader(Subset(test, np.arange(0, len(test), 5)), 2 * bs, num_workers=workers)
    model = models.convnext_tiny(weights="DEFAULT")
    model.classifier[2] = nn.Linear(768, 101)
    model.to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=max_lr, weight_decay=0.05)
    sched = OneCycleLR(opt, max_lr=max_lr, epochs=epochs, steps_per_epoch=len(train_dl))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)

    for epoch in range(epochs):
        model.train()
        for x, y in train_dl:
            loss = loss_fn(model(x.to(device)), y.to(device))
            loss.backward()
            opt.step()
            sched.step()
            opt.zero_grad()
        print(f"{epoch} loss {loss.item():.3f} acc {accuracy(model, test_dl, device):.4f}")


if __name__ == "__main__":
    fire.Fire(main)
