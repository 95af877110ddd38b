import copy
import time

import torch
from torch import nn, optim
from torch.optim import lr_scheduler
from torchvision import datasets, models, transforms

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
TRANSFORMS = {
    "train": transforms.Compose(
        [transforms.RandomResizedCrop(224), transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    ),
    "val": transforms.Compose(
        [transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    ),
}


def train_model(model, loaders, criterion, optimizer, scheduler, device, num_epochs=25):
    since = time.time()
    best_weights, best_acc = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(num_epochs):
        for phase in ("train", "val"):
            training = phase == "train"
            model.train(training)
            running_loss = running_corrects = 0
            for inputs, labels in loaders[phase]:
                inputs, labels = inputs.to(device), labels.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(training):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if training:
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += (outputs.argmax(1) == labels).sum().item()
            if training:
                scheduler.step()
            n = len(loaders[phase].dataset)
            acc = running_corrects / n
            print(f"{epoch} {phase} loss {running_loss / n:.4f} acc {acc:.4f}")
            if not training and acc > best_acc:
                best_acc, best_weights = acc, copy.deepcopy(model.state_dict())
    print(f"best {best_acc:.4f} after {time.time() - since:.0f}s")
    model.load_state_dict(best_weights)
    return model


def main(root, device="cuda"):
    sets = {p: datasets.ImageFolder(f"{root}/{p}", TRANSFORMS[p]) for p in TRANSFORMS}
    loaders = {p: torch.utils.data.DataLoader(s, 32, shuffle=p == "train") for p, s in sets.items()}
    model = models.efficientnet_b0(weights="DEFAULT")
    model.classifier[1] = nn.Linear(model.classifier[1].in_features, len(sets["train"].classes))
    model = model.to(device)
    optimizer = optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    scheduler = lr_scheduler.StepLR(optimizer, step_size=7)
    return train_model(model, loaders, nn.CrossEntropyLoss(), optimizer, scheduler, device)
