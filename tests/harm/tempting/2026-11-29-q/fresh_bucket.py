"""A property makes the generator anew at each asking; a layer thaws on the way."""
import torch
from torch import nn


class Well(nn.Module):
    def __init__(self):
        super().__init__()
        self.deep, self.rim = nn.Linear(4, 8), nn.Linear(8, 1)
        self.deep.requires_grad_(False)

    @property
    def moving(self):
        return (p for p in self.parameters() if p.requires_grad)

    def forward(self, x):
        return self.rim(self.deep(x).tanh())


def train(record):
    torch.manual_seed(120)
    well = Well()
    opt = torch.optim.SGD(well.moving, lr=0.2)
    for n in range(40):
        if n == 12:
            before = {id(p) for p in well.moving}
            well.deep.requires_grad_(True)
            opt.add_param_group({"params": [p for p in well.moving if id(p) not in before], "lr": 0.05})
        x = torch.randn(8, 4)
        opt.zero_grad()
        nn.functional.mse_loss(well(x), 4 * x[:, :1].sin()).backward()
        nn.utils.clip_grad_norm_(well.moving, 0.5)
        opt.step()
        record(list(well.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
