import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def dataloaders():
    sets = {}
    for phase, n in (("train", 60), ("val", 20)):
        y = torch.randint(0, 2, (n,))
        x = torch.randn(n, 3, 8, 8) + y[:, None, None, None] * 0.5
        sets[phase] = TensorDataset(x, y)
    return {p: DataLoader(s, batch_size=10, shuffle=p == "train") for p, s in sets.items()}


def train_model(model, criterion, optimizer, scheduler, loaders, num_epochs=4):
    best_acc, best_wts = 0.0, None
    for epoch in range(num_epochs):
        print(f"Epoch {epoch}/{num_epochs - 1}")
        for phase in ["train", "val"]:
            if phase == "train":
                scheduler.step()
                model.train()
            else:
                model.eval()

            running_loss, running_corrects = 0.0, 0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += (outputs.argmax(1) == labels).sum().item()

            n = len(loaders[phase].dataset)
            print(f"  {phase} loss {running_loss / n:.4f} acc {running_corrects / n:.3f}")
            if phase == "val" and running_corrects / n >= best_acc:
                best_acc = running_corrects / n
                best_wts = {k: v.clone() for k, v in model.state_dict().items()}
    model.load_state_dict(best_wts)
    return model


net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dropout(0.2), nn.Linear(144, 2))
sgd = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
train_model(net, nn.CrossEntropyLoss(), sgd, lr_scheduler.MultiStepLR(sgd, milestones=[2, 3], gamma=0.1), dataloaders())
