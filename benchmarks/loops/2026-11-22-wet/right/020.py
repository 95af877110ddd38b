import itertools

import lightning as L
import torch

from vision import BYOL, augmentations_loader


def cosine_tau(step, total, base=0.996):
    return 1 - (1 - base) * (torch.cos(torch.tensor(torch.pi * step / total)).item() + 1) / 2


def main(steps=20_000):
    fabric = L.Fabric(accelerator="gpu", devices=1, precision="16-mixed")
    fabric.launch()
    byol = BYOL("resnet18")
    optimizer = torch.optim.SGD(byol.parameters(), lr=0.03, momentum=0.9, weight_decay=4e-4)
    byol, optimizer = fabric.setup(byol, optimizer)
    loader = fabric.setup_dataloaders(augmentations_loader(batch_size=256))
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)

    byol.train()
    for step, (view_a, view_b) in zip(range(steps), itertools.cycle(loader)):
        loss = byol(view_a, view_b).mean()
        optimizer.zero_grad()
        fabric.backward(loss)
        fabric.clip_gradients(byol, optimizer, max_norm=1.0, error_if_nonfinite=False)
        optimizer.step()
        scheduler.step()
        byol.module.update_target(cosine_tau(step, steps))
        if step % 100 == 0:
            fabric.log_dict({"loss": loss.item(), "lr": scheduler.get_last_lr()[0]}, step=step)
    fabric.save("byol.ckpt", {"model": byol})


if __name__ == "__main__":
    main()
