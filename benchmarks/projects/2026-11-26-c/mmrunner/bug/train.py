import sys

import torch
import yaml
from torch.utils.data import DataLoader, TensorDataset

from model import TinyRegressor
from runner.epoch_runner import EpochBasedRunner
from runner.hooks.clip import GradClipHook
from runner.hooks.lr import LrUpdaterHook
from runner.hooks.optimizer import CumulativeOptimizerHook, EvalHook


def make_data(n, batch_size, seed, shuffle):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 6, generator=g)
    y = x.sum(1, keepdim=True) + 0.1 * torch.randn(n, 1, generator=g)
    return DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=shuffle)


def main():
    with open(sys.argv[1]) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])

    data = cfg["data"]
    train_loader = make_data(data["train"], data["samples_per_gpu"], 0, True)
    val_loader = make_data(data["val"], data["samples_per_gpu"], 1, False)

    model = TinyRegressor(**cfg["model"])
    optimizer = torch.optim.SGD(model.parameters(), **cfg["optimizer"])
    runner = EpochBasedRunner(model, optimizer, cfg["runner"]["max_epochs"])

    opt_cfg = cfg["optimizer_config"]
    runner.register_hook(CumulativeOptimizerHook(opt_cfg["cumulative_iters"]))
    if opt_cfg.get("grad_clip"):
        runner.register_hook(GradClipHook(**opt_cfg["grad_clip"]))
    runner.register_hook(LrUpdaterHook(**cfg["lr_config"]))
    runner.register_hook(EvalHook(val_loader))
    runner.run(train_loader)


if __name__ == "__main__":
    main()
