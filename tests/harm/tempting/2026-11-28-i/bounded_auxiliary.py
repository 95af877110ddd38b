"""An auxiliary task may nudge the trunk, but never by more than a tenth."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def rotations(x):
    turns = torch.randint(0, 4, (len(x),))
    turned = torch.stack([torch.rot90(img, int(k)) for img, k in zip(x, turns)])
    return turned, turns


def train(record):
    torch.manual_seed(44)
    trunk = nn.Sequential(nn.Flatten(), nn.Linear(16, 20), nn.ReLU())
    label_head, turn_head = nn.Linear(20, 2), nn.Linear(20, 4)
    parts = nn.ModuleList([trunk, label_head, turn_head])
    opt = torch.optim.SGD(
        [{"params": trunk.parameters(), "lr": 0.05}, {"params": [*label_head.parameters(), *turn_head.parameters()]}],
        lr=0.2,
    )
    for _ in range(24):
        x = torch.randn(16, 4, 4)
        y = (x[:, 0, 0] + x[:, 3, 3] > 0).long()
        opt.zero_grad()
        turned, turns = rotations(x)
        nn.functional.cross_entropy(turn_head(trunk(turned)), turns).backward()
        clip_grad_norm_(trunk.parameters(), 0.1)
        nn.functional.cross_entropy(label_head(trunk(x)), y).backward()
        opt.step()
        record(list(parts.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
