import torch
import torch.nn.functional as F
from torch import nn


class Seg(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU())
        self.up = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        return self.up(self.down(x))


class Run:
    def __init__(self):
        self.net = Seg(4)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-2)

    def iou(self, images, masks):
        self.net.eval()
        with torch.no_grad():
            p = self.net(images) > 0
        return ((p & masks).sum() / (p | masks).sum().clamp(min=1)).item()

    def go(self, iterations):
        self.net.train()
        for i in range(iterations):
            im = torch.rand(4, 1, 8, 8)
            mask = im > 0.5
            self.opt.zero_grad()
            F.binary_cross_entropy_with_logits(self.net(im), mask.float()).backward()
            self.opt.step()
            if i % 5 == 4:
                print(i, self.iou(im, mask))


torch.manual_seed(139)
Run().go(15)
