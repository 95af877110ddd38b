import json
import os
from pathlib import Path

import torch
import torch.distributed as dist

from gnn import factory
from gnn.data import GraphLoader
from gnn.layers import GraphClassifier
from gnn.loop import run_epoch


def main():
    cfg = json.loads(Path(__file__).with_name("config.json").read_text())
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", str(cfg["port"]))
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(cfg["seed"])

    loader = GraphLoader(batches=12, graphs=8)
    model = factory.wrap_model(GraphClassifier(features=5, hidden=cfg["hidden"], classes=2))
    weights = factory.trainable(model)
    optimizer = factory.build_optimizer(weights, cfg["optimizer"])
    updates = cfg["epochs"] * len(loader) // cfg["accumulate"]
    scheduler = factory.build_scheduler(optimizer, updates, cfg, every=cfg["accumulate"])
    for epoch in range(cfg["epochs"]):
        loss = run_epoch(model, weights, loader, optimizer, scheduler, cfg)
        print(f"epoch {epoch}: loss {loss:.4f} lr {optimizer.param_groups[0]['lr']:.2e}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
