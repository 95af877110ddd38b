import torch
from torch import nn

import extras  # noqa: F401
from clouds import Clouds
from runner import Runner
from strategy import GlooStrategy


class PointNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.each = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 32))
        self.out = nn.Linear(32, classes)

    def forward(self, cloud):
        return self.out(self.each(cloud).amax(1))


if __name__ == "__main__":
    torch.manual_seed(8)
    strategy = GlooStrategy()
    model = strategy.place(PointNet(3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    runner = Runner(model, optimizer, strategy, Clouds(84), window=4)
    runner.fit(epochs=3)
    strategy.close()
