import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader

from audio_ldm.data import AudioLatents
from audio_ldm.unet import UNet1D


def cosine_alpha(t):
    return torch.cos(t * torch.pi / 2), torch.sin(t * torch.pi / 2)


def main(epochs=50, batch_size=16, accumulate=4, lr=1e-4):
    accelerator = Accelerator(gradient_accumulation_steps=accumulate, mixed_precision="bf16")
    model = UNet1D(channels=64, depth=6)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.95, 0.999), weight_decay=1e-3)
    loader = DataLoader(AudioLatents("latents/*.npy"), batch_size=batch_size, shuffle=True, drop_last=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    updates = 0
    for epoch in range(epochs):
        model.train()
        for latents in loader:
            optimizer.zero_grad()
            with accelerator.accumulate(model):
                t = torch.rand(len(latents), device=latents.device)
                alpha, sigma = (c[:, None, None] for c in cosine_alpha(t))
                noise = torch.randn_like(latents)
                target = noise * alpha - latents * sigma
                loss = F.mse_loss(model(latents * alpha + noise * sigma, t), target)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                    updates += 1
                optimizer.step()
        accelerator.print(f"epoch {epoch} updates {updates} loss {loss.item():.4f}")
        accelerator.save_state("audio-ldm")


if __name__ == "__main__":
    main()
