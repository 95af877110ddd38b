import argparse
import json

import torch

import losses  # noqa: F401
import updates  # noqa: F401
from engine import steep
from registry import LOSSES, UPDATES


def leaves(count=12):
    generator = torch.Generator().manual_seed(21)
    out = []
    for _ in range(count):
        x = torch.rand(10, 7, generator=generator)
        out.append((x, x[:, :3].mean(1, keepdim=True)))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    with open(parser.parse_args().settings) as file:
        settings = json.load(file)
    torch.manual_seed(8)
    net = torch.nn.Sequential(torch.nn.Linear(7, 14), torch.nn.GELU(), torch.nn.Linear(14, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=settings["lr"])
    loss_fn = LOSSES[settings["loss"]]
    update = UPDATES[settings["update"]](optimizer)
    batches = leaves()
    for epoch in range(settings["epochs"]):
        print(epoch, steep(net, batches, optimizer, loss_fn, update, settings["accum"]))


if __name__ == "__main__":
    main()
