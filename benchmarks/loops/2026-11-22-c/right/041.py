import copy

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


@torch.no_grad()
def expected_calibration_error(model, loader, bins=15):
    probe = copy.deepcopy(model)
    probe.eval()
    confidence, correct = [], []
    for x, y in loader:
        p, k = probe(x).softmax(-1).max(-1)
        confidence.append(p)
        correct.append((k == y).float())
    confidence, correct = torch.cat(confidence), torch.cat(correct)
    error = torch.zeros(())
    edges = torch.linspace(0, 1, bins + 1)
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            error += inside.float().mean() * (confidence[inside].mean() - correct[inside].mean()).abs()
    return error.item()


def finetune(model, train_set, val_set, steps=2000, lr=5e-5):
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=64)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    step = 0
    model.train()
    while step < steps:
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            step += 1
            if step % 200 == 0:
                print(step, loss.item(), expected_calibration_error(model, val_loader))
            if step >= steps:
                break
