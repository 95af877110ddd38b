import torch
from accelerate import Accelerator
from torch.optim.lr_scheduler import CosineAnnealingLR

from diffusion import UNet, add_noise, image_loader


def main(cfg):
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=cfg.accum)
    unet = UNet(cfg.channels)
    optimizer = torch.optim.AdamW(unet.parameters(), lr=cfg.lr)
    loader = image_loader(cfg.data, cfg.batch_size)
    unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
    schedule = CosineAnnealingLR(optimizer.optimizer, T_max=cfg.max_updates)

    update = 0
    while update < cfg.max_updates:
        unet.train()
        for images in loader:
            with accelerator.accumulate(unet):
                noise = torch.randn_like(images)
                t = torch.randint(0, cfg.timesteps, (images.size(0),), device=images.device)
                predicted = unet(add_noise(images, noise, t), t)
                loss = torch.nn.functional.mse_loss(predicted.float(), noise.float())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                update += 1
                if update % 50 == 0:
                    accelerator.print(update, loss.item())
                if update >= cfg.max_updates:
                    break
    accelerator.end_training()
