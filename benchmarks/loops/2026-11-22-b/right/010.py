import os
from itertools import islice

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

from molecules.data import Conformers, collate
from molecules.model import SchNet


def in_groups(iterable, n):
    it = iter(iterable)
    while group := list(islice(it, n)):
        yield group


def save(path, **objects):
    torch.save({k: v.state_dict() if hasattr(v, "state_dict") else v for k, v in objects.items()}, path)


def restore(path, **objects):
    if not os.path.exists(path):
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    for name, obj in objects.items():
        obj.load_state_dict(state[name])
    return state["epoch"] + 1


def train(root, *, epochs=300, group=4, batch=32, lr=5e-4, ckpt="last.pt", device="cuda"):
    loader = DataLoader(Conformers(root), batch, shuffle=True, collate_fn=collate, num_workers=4)
    model = SchNet(hidden=128, interactions=6).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, amsgrad=True)
    updates_per_epoch = -(-len(loader) // group)
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs * updates_per_epoch)
    first = restore(ckpt, model=model, optimizer=optimizer, scheduler=scheduler)

    for epoch in range(first, epochs):
        model.train()
        mae = 0.0
        for graphs in in_groups(loader, group):
            for graph in graphs:
                graph = graph.to(device)
                energy = model(graph.z, graph.pos, graph.batch)
                loss = nn.functional.l1_loss(energy, graph.y) / len(graphs)
                loss.backward()
                mae += loss.item()
            nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad(set_to_none=True)
        print(f"epoch {epoch} mae {mae / updates_per_epoch:.5f}")
        save(ckpt, model=model, optimizer=optimizer, scheduler=scheduler, epoch=epoch)


if __name__ == "__main__":
    train("data/qm9")
