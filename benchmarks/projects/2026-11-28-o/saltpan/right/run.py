import torch
import yaml

from saltpan.hooks import DecayRate, PrintLoss
from saltpan.loop import run
from saltpan.parts import LOSSES, MODELS


def ponds(count=11):
    gen = torch.Generator().manual_seed(3)
    for_x = torch.randn(count, 12, 4, generator=gen)
    return [(x, x.sum(1, keepdim=True).tanh()) for x in for_x]


if __name__ == "__main__":
    with open("config.yaml") as handle:
        cfg = yaml.safe_load(handle)
    torch.manual_seed(0)
    model = MODELS[cfg["model"]]()
    loss = LOSSES[cfg["loss"]](cfg["accum"])
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"])
    hooks = [DecayRate(optimizer, cfg["gamma"]), PrintLoss()]
    run(model, loss, optimizer, ponds(), cfg["epochs"], cfg["accum"], hooks)
