import itertools

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from sar.data import SentinelPatches
from sar.model import MaskedAutoencoder


def main(root="bigearthnet", epochs=400, batch_size=64, accumulate=8, base_lr=1.5e-4):
    loader = DataLoader(SentinelPatches(root), batch_size=batch_size, shuffle=True, num_workers=12, drop_last=True)
    whole = len(loader) - len(loader) % accumulate
    model = MaskedAutoencoder(bands=12, ratio=0.75).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=base_lr * batch_size * accumulate / 256, betas=(0.9, 0.95))
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs * whole // accumulate)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for i, patches in enumerate(itertools.islice(loader, whole)):
            patches = patches.cuda(non_blocking=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                recon, mask = model(patches)
                error = F.mse_loss(recon, model.patchify(patches), reduction="none").mean(-1)
                loss = (error * mask).sum() / mask.sum()
            (loss / accumulate).backward()
            total += loss.item()
            if (i + 1) % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
                scheduler.step()
        print(f"epoch {epoch} {total / whole:.4f}")
        torch.save(model.state_dict(), "mae.pt")


if __name__ == "__main__":
    main()
