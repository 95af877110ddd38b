import torch
from torch import nn


class Upscaler(nn.Module):
    def __init__(self, factor=2):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, factor**2, 3, padding=1), nn.PixelShuffle(factor)
        )

    def forward(self, x):
        return self.net(x)


def train(model, images, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    pool = nn.AvgPool2d(2)
    for step in range(steps):
        hr = images[torch.randint(0, len(images), (8,))]
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            sr = model(pool(hr))
            loss = nn.functional.l1_loss(sr.float(), hr)
            loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"{step:>3} {loss.item():.4f}")


torch.manual_seed(36)
grid = torch.linspace(0, 3, 16)
images = torch.stack([torch.sin(grid[None] * a + grid[:, None] * b)[None] for a, b in torch.rand(32, 2) * 4])
train(Upscaler(), images, 30)
