import copy

import torch
from torch import nn
from torch.optim import lr_scheduler


def train_model(model, data, criterion, optimizer, scheduler, num_epochs):
    best_acc, best_wts = 0.0, copy.deepcopy(model.state_dict())
    for epoch in range(num_epochs):
        for phase in ("train", "val"):
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss, running_corrects, seen = 0.0, 0, 0
            for inputs, labels in data[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += int((outputs.argmax(1) == labels).sum())
                seen += len(labels)
            if phase == "train":
                scheduler.step()
            elif running_corrects / seen > best_acc:
                best_acc = running_corrects / seen
                best_wts = copy.deepcopy(model.state_dict())
            print(f"{epoch} {phase} loss {running_loss / seen:.4f} acc {running_corrects / seen:.3f}")
    model.load_state_dict(best_wts)
    return model


torch.manual_seed(151)
ants = [(x := torch.randn(16, 3, 6, 6), (x[:, 0].mean((1, 2)) > 0).long()) for _ in range(12)]
net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.Linear(96, 2))
sgd = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
train_model(net, {"train": ants[:9], "val": ants[9:]}, nn.CrossEntropyLoss(), sgd, lr_scheduler.StepLR(sgd, 2, 0.5), 3)
