import copy
import time

import torch
import torch.nn as nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")

labels = torch.randint(0, 2, (160,))
images = torch.randn(160, 3, 6, 6)
images[labels == 1, 0] += 0.8
sets = {
    "train": TensorDataset(images[:120], labels[:120]),
    "val": TensorDataset(images[120:], labels[120:]),
}
loaders = {k: DataLoader(v, batch_size=20, shuffle=(k == "train")) for k, v in sets.items()}


def train_model(model, criterion, optimizer, scheduler, num_epochs=4):
    since = time.time()
    best_state, best_acc = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(num_epochs):
        for phase in ("train", "val"):
            if phase == "train":
                model.train()
            else:
                model.eval()

            running_loss, running_corrects = 0.0, 0
            for inputs, targets in loaders[phase]:
                inputs, targets = inputs.to(device), targets.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, targets)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(outputs.argmax(1) == targets).item()
            if phase == "train":
                scheduler.step()
            n = len(sets[phase])
            print(f"{epoch} {phase} Loss: {running_loss / n:.4f} Acc: {running_corrects / n:.4f}")
            if phase == "val" and running_corrects / n > best_acc:
                best_acc = running_corrects / n
                best_state = copy.deepcopy(model.state_dict())
    print(f"Training complete in {time.time() - since:.1f}s, best {best_acc:.3f}")
    model.load_state_dict(best_state)
    return model


net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(128, 2)).to(device)
sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
train_model(net, nn.CrossEntropyLoss(), sgd, lr_scheduler.StepLR(sgd, step_size=2, gamma=0.1))
