from dataclasses import dataclass

import torch
from torch import nn

from .amp import ScaledOptimizer
from .scenes import scenes
from .stepper import Stepper


@dataclass
class Recipe:
    epochs: int = 2
    every: int = 4
    limit: float = 2.0
    rate: float = 0.02
    scale: float = 512.0


class BoxNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 32, 24), nn.ReLU())
        self.box, self.score = nn.Linear(24, 2), nn.Linear(24, 1)

    def forward(self, x):
        hidden = self.body(x)
        return self.box(hidden), self.score(hidden).squeeze(1)


def detection_loss(net, strip, box, there):
    guess, score = net(strip)
    located = (nn.functional.smooth_l1_loss(guess, box, reduction="none").mean(1) * there).mean()
    return located + nn.functional.binary_cross_entropy_with_logits(score, there)


def main(recipe=Recipe()):
    torch.manual_seed(9)
    net = BoxNet()
    scaler = torch.amp.GradScaler("cpu", init_scale=recipe.scale)
    sgd = torch.optim.SGD(net.parameters(), lr=recipe.rate, momentum=0.9)
    optimizer = ScaledOptimizer(sgd, scaler)
    stepper = Stepper(optimizer, list(net.parameters()), recipe.every, recipe.limit)
    schedule = torch.optim.lr_scheduler.StepLR(sgd, step_size=1, gamma=0.5)
    for epoch in range(recipe.epochs):
        total = 0.0
        for batch in scenes(14):
            loss = detection_loss(net, *batch)
            scaler.scale(loss / recipe.every).backward()
            stepper()
            total += loss.item()
        stepper.close()
        schedule.step()
        print(f"epoch {epoch} loss {total / 14:.4f} updates {stepper.updates}")


if __name__ == "__main__":
    main()
