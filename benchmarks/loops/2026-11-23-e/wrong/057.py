import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def conv_bn(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class SmallResNet(nn.Module):
    def __init__(self, c=8, classes=3):
        super().__init__()
        self.stem = conv_bn(1, c)
        self.res = nn.Sequential(conv_bn(c, c), conv_bn(c, c))
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        x = self.stem(x)
        x = x + self.res(x)
        return self.fc(x.mean((2, 3)))


def make(n):
    y = torch.randint(0, 3, (n,))
    x = torch.randn(n, 1, 6, 6)
    x[torch.arange(n), 0, 2 * y] += 1.5
    return TensorDataset(x, y)


train_loader = DataLoader(make(160), batch_size=16, shuffle=True)
val_loader = DataLoader(make(48), batch_size=16)
model = SmallResNet().to(dev)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()

model.train()
for epoch in range(3):
    for x, y in train_loader:
        x, y = x.to(dev), y.to(dev)
        optimizer.zero_grad()
        with torch.autocast(dev, dtype=torch.bfloat16):
            out = model(x)
            loss = criterion(out, y)
            loss.backward()
        optimizer.step()

    model.eval()
    good = 0
    with torch.no_grad():
        for x, y in val_loader:
            good += (model(x.to(dev)).argmax(1).cpu() == y).sum().item()
    print(f"epoch {epoch} loss {loss.item():.3f} val acc {good / 48:.3f}")
