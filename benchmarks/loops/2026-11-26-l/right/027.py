import torch
from torch import nn


class FrozenBN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.features.requires_grad_(False)
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.5), nn.Linear(8, 4))

    def train(self, mode=True):
        super().train(mode)
        self.features.eval()
        return self

    def forward(self, x):
        return self.head(self.features(x))


torch.manual_seed(0)
model = FrozenBN()
opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
data = [(torch.randn(8, 3, 9, 9), torch.randint(0, 4, (8,))) for _ in range(6)]
for epoch in range(3):
    model.train()
    for x, y in data[:5]:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        acc = (model(data[5][0]).argmax(1) == data[5][1]).float().mean()
    print(epoch, loss.item(), acc.item(), model.features.training)
