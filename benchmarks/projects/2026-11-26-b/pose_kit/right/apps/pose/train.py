import sys
from functools import partial
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "libs" / "trainkit"))

import torch

from hands import HandNet, keypoint_loss, make_loaders
from trainkit import loops, steps

with open(HERE / "pose.yaml") as handle:
    CFG = yaml.safe_load(handle)


def main():
    torch.manual_seed(CFG["seed"])
    train_loader, val_loader = make_loaders(CFG["batch_size"])
    model = HandNet(CFG["joints"])
    optimizer = torch.optim.RMSprop(model.parameters(), lr=CFG["lr"])
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 2], gamma=0.5)
    parameters = list(model.parameters())

    loss_fn = partial(keypoint_loss, sigma=CFG["sigma"], weight=1 / CFG["accumulate"])
    backward = steps.backward
    update = partial(steps.update, optimizer, parameters=parameters, max_norm=CFG["max_norm"])
    due = partial(steps.every, CFG["accumulate"], total=len(train_loader))
    for epoch in range(CFG["epochs"]):
        loss = loops.train(model, train_loader, loss_fn, backward, update, due)
        scheduler.step()
        error = loops.validate(model, val_loader, partial(keypoint_loss, sigma=CFG["sigma"]))
        print(f"epoch {epoch}: train {loss:.4f} val {error:.4f}")


if __name__ == "__main__":
    main()
