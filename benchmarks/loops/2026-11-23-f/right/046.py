import torch
from torch import nn

torch.manual_seed(0)
features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU())
features.eval().requires_grad_(False)


def gram(f):
    b, c, h, w = f.shape
    f = f.view(c, h * w)
    return f @ f.T / (c * h * w)


content = torch.rand(1, 1, 12, 12)
style = torch.rand(1, 1, 12, 12)
want_content = features(content)
want_style = gram(features(style))
image = content.clone().requires_grad_(True)
optimizer = torch.optim.Adam([image], lr=0.02)

for it in range(30):
    optimizer.zero_grad()
    f = features(image)
    loss = nn.functional.mse_loss(f, want_content) + 100 * nn.functional.mse_loss(gram(f), want_style)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        image.clamp_(0, 1)
    if it % 10 == 0:
        print(it, loss.item())
