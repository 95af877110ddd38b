import torch.nn.functional as F
from torch.optim import SGD

from helpers import *
from nets import SmallCNN

torch.manual_seed(SEED)

train_loader, test_loader = get_loaders()
model = SmallCNN()
optimizer = SGD(model.parameters(), lr=LR, momentum=0.9)
curves = Curves()

for epoch in range(EPOCHS):
    model.train()
    optimizer.zero_grad()
    for i, (images, labels) in enumerate(train_loader, start=1):
        loss = F.cross_entropy(model(images), labels)
        (loss / ACCUM).backward()
        if i % ACCUM == 0 or i == len(train_loader):
            optimizer.step()
            optimizer.zero_grad()
        curves.add("loss", loss.item())
    curves.add("acc", accuracy(model, test_loader))
    print(f"epoch {epoch}: loss {curves.last_mean('loss', len(train_loader)):.3f} acc {curves.points['acc'][-1]:.2f}")
