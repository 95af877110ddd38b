import argparse
import json

import torch
from torch.cuda.amp import GradScaler, autocast
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch_geometric.loader import DataLoader

from molnet import GIN, MoleculeSet


def parse():
    ap = argparse.ArgumentParser("property prediction")
    ap.add_argument("--data", default="zinc")
    ap.add_argument("--hidden", type=int, default=300)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--virtual-batch-size", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=100)
    return ap.parse_args()


def main():
    args = parse()
    every = args.virtual_batch_size // args.batch_size
    loader = DataLoader(MoleculeSet(args.data, "train"), batch_size=args.batch_size, shuffle=True)
    model = GIN(args.hidden).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = CosineAnnealingLR(optimizer, T_max=args.epochs)
    scaler = GradScaler()
    log = []
    for epoch in range(args.epochs):
        model.train()
        epoch_loss = 0.0
        for idx, graph in enumerate(loader):
            graph = graph.cuda()
            update = (idx + 1) % every == 0 or idx == len(loader) - 1
            with autocast():
                pred = model(graph.x, graph.edge_index, graph.edge_attr, graph.batch)
                loss = (pred.squeeze(-1) - graph.y).abs().mean()
            scaler.scale(loss).backward()
            epoch_loss += loss.item()
            if update:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
        scheduler.step()
        log.append({"epoch": epoch, "mae": epoch_loss / len(loader)})
    with open("log.json", "w") as f:
        json.dump(log, f)


if __name__ == "__main__":
    main()
