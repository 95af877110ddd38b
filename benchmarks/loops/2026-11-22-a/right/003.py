import torch
from torch import nn
from torch.utils.data import DataLoader

from satellite.change import ChangePairs
from satellite.net import SiameseUNet


def average_gradients(model: nn.Module, n: int) -> None:
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= n


def train(root: str, *, epochs: int = 80, batch: int = 2, window: int = 12, lr: float = 3e-4) -> nn.Module:
    loader = DataLoader(ChangePairs(root, "train"), batch_size=batch, shuffle=True, num_workers=4)
    model = SiameseUNet(bands=13).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([9.0]).cuda())
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad(set_to_none=True)
        pending = 0
        for i, (before, after, mask) in enumerate(loader):
            loss = criterion(model(before.cuda(), after.cuda()), mask.cuda())
            loss.backward()
            pending += 1
            if pending == window or i == len(loader) - 1:
                average_gradients(model, pending)
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                pending = 0
        print(f"epoch {epoch}: {loss.item():.4f}")
    return model
