import argparse

import torch
import yaml

from vis.build import build_loader, build_model, build_optimizer
from vis.engine import train_one_epoch
from vis.launch import start, stop


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/base.yaml")
    with open(parser.parse_args().config) as f:
        cfg = yaml.safe_load(f)

    rank, world = start(cfg["world"]["backend"])
    torch.manual_seed(cfg["seed"])
    model = build_model(cfg)
    optimizer = build_optimizer(cfg, model.parameters())
    loader = build_loader(cfg, rank, world)
    for epoch in range(cfg["train"]["epochs"]):
        loader.sampler.set_epoch(epoch)
        loss = train_one_epoch(model, loader, optimizer, cfg["train"]["accumulate"])
        if rank == 0:
            print(f"[{epoch}] loss {loss:.4f}")
    stop()


if __name__ == "__main__":
    main()
