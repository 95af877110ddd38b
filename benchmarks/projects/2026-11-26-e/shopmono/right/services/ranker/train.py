import json
from pathlib import Path

import torch
from loopkit import Accumulator, Inspector
from storefeeds import feed
from torch import nn


def auc_like(logit, y):
    return ((logit.squeeze(-1) > 0).float() == y).float().mean().item()


def main():
    cfg = json.loads(Path(__file__).with_name("settings.json").read_text())
    torch.manual_seed(0)
    ranker = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(ranker.parameters(), lr=cfg["lr"])
    train, valid = feed(cfg["rows"], cfg["batch"], 0), feed(64, 32, 1)
    inspector = Inspector(ranker, cfg["inspect_every"])
    ranker.train()
    step = 0
    for epoch in range(cfg["epochs"]):
        window = Accumulator(optimizer, cfg["window"])
        for x, y in train:
            loss = nn.functional.binary_cross_entropy_with_logits(ranker(x).squeeze(-1), y)
            window.add(loss)
            step += 1
            inspector.maybe(step, valid, auc_like)
        window.flush()
        print(f"epoch {epoch} updates {window.updates} scores {inspector.scores}")


if __name__ == "__main__":
    main()
