import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def conv(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.GroupNorm(2, o), nn.SiLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(conv(1, 8), conv(8, 16, 2), conv(16, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.cls = nn.Linear(16, 2)

    def forward(self, x):
        return self.cls(self.f(x))


def stripes(n):
    y = torch.randint(0, 2, (n,))
    base = (torch.arange(8) % 2).float()
    img = torch.where(y[:, None, None] > 0, base[None, None, :].expand(n, 8, 8), base[None, :, None].expand(n, 8, 8))
    return TensorDataset(img[:, None] + 0.8 * torch.randn(n, 1, 8, 8), y)


def train(model, loader, optimizer, scheduler, criterion):
    model.train()
    loss_sum, n = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        loss_sum += loss.item() * y.numel()
        n += y.numel()
    return loss_sum / n


def test(model, loader):
    model.eval()
    ok = 0
    with torch.inference_mode():
        for x, y in loader:
            ok += (model(x).argmax(1) == y).sum().item()
    return ok / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    EPOCHS = 3
    train_dl = DataLoader(stripes(128), batch_size=16, shuffle=True)
    test_dl = DataLoader(stripes(48), batch_size=48)
    model = Net()
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=EPOCHS, steps_per_epoch=len(train_dl))
    for epoch in range(EPOCHS):
        loss = train(model, train_dl, optimizer, scheduler, nn.CrossEntropyLoss())
        print(f"{epoch + 1}/{EPOCHS} loss {loss:.3f} acc {test(model, test_dl):.2f} lr {scheduler.get_last_lr()[0]:.4f}")
