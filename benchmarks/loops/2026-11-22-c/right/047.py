import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts


def train(model, loader, *, epochs=30, accum=2, lr=0.05):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    restarts = CosineAnnealingWarmRestarts(optimizer, T_0=10, T_mult=2)
    batches = len(loader)
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == batches:
                optimizer.step()
                optimizer.zero_grad()
            if i > 0:
                restarts.step(epoch + i / batches)
        print(f"epoch {epoch} lr {optimizer.param_groups[0]['lr']:.5f} loss {loss.item():.4f}")
    return model
