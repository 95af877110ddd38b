import pathlib

import torch
import yaml

import build
from graphs import molecules
from trainer import Trainer


def run(cfg):
    torch.manual_seed(cfg["seed"])
    net, optimizer = build.model_and_optimizer(cfg)
    precision = build.precision(cfg)
    trainer = Trainer(net, optimizer, precision, cfg["max_norm"])
    train, held_out = molecules(160, seed=0), molecules(48, seed=1)
    for epoch in range(cfg["epochs"]):
        net.train()
        losses = []
        for batch in train:
            with precision.cast():
                losses.append(trainer.train_batch(batch))
        with precision.cast():
            score = trainer.mean_loss(held_out)
        print(epoch, f"{sum(losses) / len(losses):.5f} {score:.5f}")


if __name__ == "__main__":
    run(yaml.safe_load(pathlib.Path("conf.yaml").read_text()))
