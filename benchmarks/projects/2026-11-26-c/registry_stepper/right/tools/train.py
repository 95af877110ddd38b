import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import torch
import yaml

from zoo import CLIPPERS, TRIGGERS
from zoo.data import get_loader
from zoo.nets import SmallNet
from zoo.runner import Runner


def main(path):
    with open(path) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = SmallNet().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    runner = Runner(
        model=model,
        optimizer=optimizer,
        trigger=TRIGGERS.build(cfg["trigger"]),
        clipper=CLIPPERS.build(cfg["clipper"]),
        half=cfg["half"],
        device=device,
    )
    loader = get_loader(True, cfg["batch_size"])
    test_loader = get_loader(False, cfg["batch_size"])
    for epoch in range(cfg["epochs"]):
        loss = runner.train(loader)
        print(f"epoch {epoch} loss {loss:.4f} acc {runner.test(test_loader):.3f}")


if __name__ == "__main__":
    main(sys.argv[1])
