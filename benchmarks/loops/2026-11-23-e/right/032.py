import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU(),
            nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )

    def forward(self, x):
        return self.net(x)


class Transfer(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(8, classes))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()  # statistics of the pretrained network stay as they are
        return self

    def forward(self, x):
        return self.head(self.backbone(x))


def run():
    torch.manual_seed(0)
    y = torch.randint(0, 3, (180,))
    x = torch.randn(180, 1, 7, 7) + y[:, None, None, None].float()
    train_dl = DataLoader(TensorDataset(x[:144], y[:144]), batch_size=18, shuffle=True)
    valid_dl = DataLoader(TensorDataset(x[144:], y[144:]), batch_size=36)

    model = Transfer(Backbone(), 3)
    optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(4):
        model.train()
        for xb, yb in train_dl:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            optimizer.step()

        model.eval()
        with torch.no_grad():
            hits = sum((model(xb).argmax(1) == yb).sum().item() for xb, yb in valid_dl)
        print(f"epoch {epoch} loss {loss.item():.3f} valid {hits / 36:.3f}")


run()
