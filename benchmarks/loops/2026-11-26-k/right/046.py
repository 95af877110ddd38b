import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Flatten(), nn.Linear(8 * 36, 4))

    def forward(self, x):
        return self.head(self.backbone(x))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self


torch.manual_seed(146)
model = Detector()
model.backbone.requires_grad_(False)
opt = torch.optim.AdamW(model.head.parameters(), lr=2e-3)
images = torch.rand(60, 3, 12, 12)
boxes = torch.stack([images[:, 0].mean((1, 2)), images[:, 1].amax((1, 2)), images[:, 2].std((1, 2)), images.mean((1, 2, 3))], 1)
for epoch in range(4):
    model.train()
    for idx in torch.randperm(48).split(12):
        loss = nn.functional.smooth_l1_loss(model(images[idx]), boxes[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        val = nn.functional.smooth_l1_loss(model(images[48:]), boxes[48:]).item()
    print(epoch, loss.item(), val)
