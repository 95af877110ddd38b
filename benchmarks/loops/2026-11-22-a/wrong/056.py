import copy
import math

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10
from torchvision.transforms import Compose, RandomHorizontalFlip, ToTensor

from ddpm.unet import UNet


class EMA:
    def __init__(self, model, decay=0.9999):
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def alpha_bar(t):
    return torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2


def main(steps=800_000, batch_size=128, lr=2e-4, warmup=5000):
    transform = Compose([RandomHorizontalFlip(), ToTensor(), lambda x: 2 * x - 1])
    loader = DataLoader(CIFAR10("data", transform=transform), batch_size=batch_size, shuffle=True, drop_last=True)
    model = UNet(channels=128, mults=(1, 2, 2, 2)).cuda()
    ema = EMA(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(s + 1, warmup) / warmup)
    weights = model.parameters()

    step = 0
    while step < steps:
        for x, _ in loader:
            x = x.cuda()
            t = torch.rand(x.size(0), device=x.device)
            a = alpha_bar(t)[:, None, None, None]
            noise = torch.randn_like(x)
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.bfloat16):
                pred = model(a.sqrt() * x + (1 - a).sqrt() * noise, t)
                loss = (pred - noise).square().mean()
                loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            scheduler.step()
            ema.update(model)
            step += 1
            if step % 1000 == 0:
                print(step, loss.item())
    torch.save(ema.shadow.state_dict(), "ddpm_cifar.pt")


if __name__ == "__main__":
    main()
