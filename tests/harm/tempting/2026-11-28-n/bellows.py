"""An organ is voiced: callbacks decide which part of it is awake."""
import torch
from torch import nn
from torch.nn import functional as F


class Callback:
    def before_epoch(self, organ):
        pass

    def after_epoch(self, organ):
        pass


class OnlyThePipes(Callback):
    """The reed keeps its statistics, the pipes their noise."""

    def before_epoch(self, organ):
        for name, part in organ.named_children():
            part.train(name != "reed")


class Listen(Callback):
    def __init__(self, air):
        self.air, self.heard = air, []

    def after_epoch(self, organ):
        organ.eval()
        with torch.no_grad():
            self.heard.append(organ(self.air).std().item())


def train(record):
    torch.manual_seed(10)
    organ = nn.Sequential()
    organ.add_module("reed", nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8)))
    organ.add_module("pipes", nn.Sequential(nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 1)))
    for p in organ.reed.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.Adam(organ.pipes.parameters(), lr=0.02)
    callbacks = [OnlyThePipes(), Listen(torch.randn(20, 4))]
    for _ in range(5):
        for callback in callbacks:
            callback.before_epoch(organ)
        for _ in range(4):
            air = torch.randn(10, 4)
            optimizer.zero_grad()
            F.mse_loss(organ(air), air.norm(dim=1, keepdim=True)).backward()
            optimizer.step()
            record(list(organ.pipes.parameters()))
        for callback in callbacks:
            callback.after_epoch(organ)


if __name__ == "__main__":
    train(lambda parameters: None)
