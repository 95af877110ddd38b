import argparse

import torch
import yaml

from detlite.engine.defaults import DefaultTrainer


def get_parser():
    parser = argparse.ArgumentParser(description="detlite training")
    parser.add_argument("--config-file", required=True)
    parser.add_argument("--num-iters", type=int, default=None)
    return parser


def setup(args):
    with open(args.config_file) as f:
        cfg = yaml.safe_load(f)
    if args.num_iters is not None:
        cfg["SOLVER"]["MAX_ITER"] = args.num_iters
    torch.manual_seed(cfg["SEED"])
    return cfg


if __name__ == "__main__":
    trainer = DefaultTrainer(setup(get_parser().parse_args()))
    trainer.train()
