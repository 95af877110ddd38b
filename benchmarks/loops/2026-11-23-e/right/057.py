"""The network is only a feature extractor, the image is the parameter."""
import torch
import torch.nn.functional as F
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([
            nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU()),
            nn.Sequential(nn.Conv2d(8, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.AvgPool2d(2)),
            nn.Sequential(nn.Conv2d(12, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU()),
        ])

    def forward(self, x):
        out = []
        for stage in self.stages:
            x = stage(x)
            out.append(x)
        return out


def gram(f):
    b, c, h, w = f.shape
    f = f.view(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


def main(steps=30, style_weight=1e3):
    torch.manual_seed(0)
    extractor = Features().eval().requires_grad_(False)
    content = torch.rand(1, 3, 16, 16)
    style = torch.rand(1, 3, 16, 16).round()
    with torch.no_grad():
        content_ref = extractor(content)[-1]
        style_ref = [gram(f) for f in extractor(style)]

    image = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([image], lr=2e-2)
    for step in range(steps):
        optimizer.zero_grad()
        feats = extractor(image)
        c_loss = F.mse_loss(feats[-1], content_ref)
        s_loss = sum(F.mse_loss(gram(f), ref) for f, ref in zip(feats, style_ref))
        loss = c_loss + style_weight * s_loss
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            image.clamp_(0, 1)
        if step % 10 == 0:
            print(f"{step}: content {c_loss.item():.5f} style {s_loss.item():.6f}")
    return image.detach()


if __name__ == "__main__":
    main()
