import torch
from torch import nn

torch.manual_seed(134)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU())
        self.neck = nn.Sequential(nn.Conv2d(6, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Dropout2d(0.1))
        self.box = nn.Linear(6, 4)
        self.backbone.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self

    def forward(self, x):
        return self.box(self.neck(self.backbone(x)).mean((2, 3)))


det = Detector()
opt = torch.optim.Adam([p for p in det.parameters() if p.requires_grad], lr=1e-3)
train_x, train_b = torch.rand(40, 1, 10, 10), torch.rand(40, 4)
for epoch in range(3):
    det.train()
    for i in range(0, 40, 10):
        opt.zero_grad()
        loss = nn.functional.l1_loss(det(train_x[i : i + 10]), train_b[i : i + 10])
        loss.backward()
        opt.step()
    det.eval()
    with torch.no_grad():
        err = nn.functional.l1_loss(det(train_x[:10]), train_b[:10])
    print(epoch, loss.item(), err.item())
