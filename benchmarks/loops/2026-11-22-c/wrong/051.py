import copy

import torch
import torch.nn.functional as F

from denoise.schedule import add_noise, ancestral_sample


def train(unet, loader, steps=200_000, lr=1e-4, preview_every=5_000, decay=0.9999):
    average = copy.deepcopy(unet).requires_grad_(False)
    optimizer = torch.optim.AdamW(unet.parameters(), lr=lr)
    ramp = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 5000))
    batches = iter(loader)
    unet.train()
    for step in range(1, steps + 1):
        try:
            image = next(batches)
        except StopIteration:
            batches = iter(loader)
            image = next(batches)
        noise = torch.randn_like(image)
        t = torch.randint(0, 1000, (image.size(0),))
        loss = F.mse_loss(unet(add_noise(image, noise, t), t), noise)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        optimizer.step()
        ramp.step()
        with torch.no_grad():
            for a, p in zip(average.parameters(), unet.parameters()):
                a.lerp_(p, 1 - decay)
        if step % preview_every == 0:
            unet.eval()
            with torch.no_grad():
                grid = ancestral_sample(unet, (16, *image.shape[1:]))
            torch.save(grid, f"preview_{step}.pt")
            average.train()
            print(step, loss.item())
    return average
