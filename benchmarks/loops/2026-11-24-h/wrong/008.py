import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset, random_split


class TransferNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.classifier = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, n_classes))
        for p in self.features.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.classifier(self.features(x))


def run(num_epochs=3):
    torch.manual_seed(5)
    ds = TensorDataset(torch.randn(120, 3, 12, 12), torch.randint(0, 3, (120,)))
    tr, va = random_split(ds, [96, 24])
    dataloaders = {"train": DataLoader(tr, 16, shuffle=True), "val": DataLoader(va, 16)}

    model = TransferNet(3)
    criterion = nn.CrossEntropyLoss()
    trainable = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = optim.SGD(trainable, lr=0.01, momentum=0.9)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running_loss, running_corrects = 0.0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        nn.utils.clip_grad_norm_(trainable, max_norm=0.1)
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += (outputs.argmax(1) == labels).sum().item()
            if phase == "train":
                scheduler.step()
            n = len(dataloaders[phase].dataset)
            print(f"{phase} loss {running_loss / n:.4f} acc {running_corrects / n:.4f}")


run()
