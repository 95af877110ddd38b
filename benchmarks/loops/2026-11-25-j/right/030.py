import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(130)
make = lambda n: TensorDataset(torch.rand(n, 3, 8, 8), torch.randint(0, 2, (n,)))
dataloaders = {"train": DataLoader(make(48), batch_size=12, shuffle=True), "val": DataLoader(make(24), batch_size=12)}
model = nn.Sequential(nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2), nn.Linear(216, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
best_wts, best_acc = copy.deepcopy(model.state_dict()), 0.0

for epoch in range(3):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()
        running_loss, running_corrects = 0.0, 0
        for inputs, labels in dataloaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * inputs.size(0)
            running_corrects += (outputs.argmax(1) == labels).sum().item()
        if phase == "train":
            scheduler.step()
        acc = running_corrects / len(dataloaders[phase].dataset)
        if phase == "val" and acc > best_acc:
            best_acc, best_wts = acc, copy.deepcopy(model.state_dict())
    print(epoch, round(running_loss, 3), acc)
model.load_state_dict(best_wts)
