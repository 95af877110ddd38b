"""The ramp gives nothing at nought: it is moved to one before the first update is made."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


@dataclass
class Season:
    rate: float = 0.25
    sunrise: int = 10
    days: int = 36
    layers: list = field(default_factory=lambda: [3, 8, 1])

    def warmth(self, day):
        return min(1.0, day / self.sunrise) * (1.0 - max(0, day - self.sunrise) / (2 * self.days))

    def seedling(self):
        wide, mid, out = self.layers
        return nn.Sequential(nn.Linear(wide, mid), nn.SiLU(), nn.Linear(mid, out))


def train(record, season=Season()):
    torch.manual_seed(365)
    plant = season.seedling()
    optimizer = torch.optim.SGD(plant.parameters(), lr=season.rate)
    ramp = LambdaLR(optimizer, season.warmth)
    light = torch.randn(72, 3)
    height = light.exp().mean(1, keepdim=True).log1p()
    for day in range(season.days):
        ramp.step()
        rows = torch.arange(day, day + 18) % 72
        optimizer.zero_grad()
        nn.functional.mse_loss(plant(light[rows]), height[rows]).backward()
        optimizer.step()
        record(list(plant.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
