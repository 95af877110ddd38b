import json

import torch

from trufflenet.data import make_hunts
from trufflenet.factory import build_model, build_optimizer, trainable
from trufflenet.scoring import precision_of
from trufflenet.training import fit_epoch


def main():
    with open("settings.json") as file:
        settings = json.load(file)
    torch.manual_seed(4)
    model = build_model(freeze_stem=settings["freeze_stem"])
    weights = trainable(model)
    optimizer = build_optimizer(settings["optim"], weights)
    hunts, held_out = make_hunts(12, seed=0), make_hunts(4, seed=9)
    for epoch in range(settings["epochs"]):
        loss = fit_epoch(model, weights, optimizer, hunts, settings["grad_limit"])
        with torch.no_grad():
            score = precision_of(model, held_out)
        print(f"[{epoch}] loss={loss:.4f} precision={score:.3f}")


if __name__ == "__main__":
    main()
