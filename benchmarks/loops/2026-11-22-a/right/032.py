import copy
from collections import defaultdict

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms

SIZE = 224
PHASES = {
    True: transforms.Compose([transforms.RandomResizedCrop(SIZE), transforms.ColorJitter(0.2), transforms.ToTensor()]),
    False: transforms.Compose([transforms.Resize(256), transforms.CenterCrop(SIZE), transforms.ToTensor()]),
}


def run_phase(model, loader, criterion, optimizer, training, device):
    model.train(training)
    sums = defaultdict(float)
    for image, label in loader:
        image, label = image.to(device), label.to(device)
        with torch.set_grad_enabled(training):
            logits = model(image)
            loss = criterion(logits, label)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        sums["loss"] += loss.item() * len(label)
        sums["hits"] += (logits.argmax(1) == label).sum().item()
    return {name: value / len(loader.dataset) for name, value in sums.items()}


def main(root="mushrooms", epochs=25, batch=32):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loaders = {}
    for training, name in ((True, "train"), (False, "test")):
        folder = datasets.ImageFolder(f"{root}/{name}", PHASES[training])
        loaders[training] = DataLoader(folder, batch, shuffle=training, num_workers=4)
    model = models.efficientnet_b0(weights="DEFAULT")
    model.classifier[1] = nn.Linear(model.classifier[1].in_features, len(loaders[True].dataset.classes))
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.1)
    best, state = 0.0, None
    for epoch in range(epochs):
        for training in (True, False):
            result = run_phase(model, loaders[training], nn.CrossEntropyLoss(), optimizer, training, device)
            print(epoch, "train" if training else "test", result)
            if training:
                scheduler.step()
            elif result["hits"] > best:
                best, state = result["hits"], copy.deepcopy(model.state_dict())
    torch.save(state, "mushrooms.pt")


if __name__ == "__main__":
    main()
