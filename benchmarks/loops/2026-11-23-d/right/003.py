import torch
import torch.nn.functional as F

from vision import loaders, resnet

N_ACC = 4
EPOCHS = 8
model = resnet(depth=18, classes=10)
train_loader, test_loader = loaders("cifar10", batch_size=64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)


@torch.no_grad()
def accuracy():
    model.eval()
    good = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    return good / sum(len(y) for _, y in test_loader)


micro = 0  # never reset: a window that starts in one epoch ends in the next, always with N_ACC batches
optimizer.zero_grad()
for epoch in range(EPOCHS):
    model.train()
    for x, y in train_loader:
        loss = F.cross_entropy(model(x), y) / N_ACC
        loss.backward()
        micro += 1
        if micro % N_ACC == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch} acc {accuracy():.3f} updates {micro // N_ACC}")
