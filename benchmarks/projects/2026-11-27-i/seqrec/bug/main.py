import argparse
import json
from pathlib import Path

import torch

import ranking  # noqa: F401
import recmodels  # noqa: F401
from interactions import make_loader
from loop import run_epoch
from registry import LOSSES, MODELS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path("config.json"))
    cfg = json.loads(parser.parse_args().config.read_text())
    torch.manual_seed(cfg["seed"])

    loader = make_loader(**cfg["loader"])
    model = MODELS.build(cfg["model"].pop("name"), items=cfg["loader"]["items"], **cfg["model"])
    accumulate = cfg["optim"]["accumulate"]
    loss_fn = LOSSES.build(cfg["loss"].pop("name"), accumulate=accumulate, **cfg["loss"])
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["optim"]["lr"], momentum=0.9)
    optimizer.zero_grad()
    for epoch in range(cfg["epochs"]):
        print(epoch, f"{run_epoch(model, loss_fn, optimizer, loader, accumulate):.4f}")


if __name__ == "__main__":
    main()
