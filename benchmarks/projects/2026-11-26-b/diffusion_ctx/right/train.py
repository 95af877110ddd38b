import copy

import torch
from torch.nn import functional as F

from diffusion.contexts import ema_scope, fresh_gradients, precision
from diffusion.data import spiral_loader
from diffusion.ema import update_ema
from diffusion.noise import NoiseSchedule
from diffusion.unet import Denoiser

EPOCHS, WINDOW, SAMPLE_EVERY = 2, 4, 8


def training_loss(model, schedule, x):
    t = torch.randint(0, schedule.steps, (len(x),))
    noise = torch.randn_like(x)
    predicted = model(schedule.corrupt(x, noise, t), t)
    return F.mse_loss(predicted.float(), noise)


def main():
    torch.manual_seed(0)
    loader = spiral_loader(batches=18, batch_size=32)
    model, schedule = Denoiser(), NoiseSchedule(steps=20)
    ema = copy.deepcopy(model)
    for parameter in ema.parameters():
        parameter.requires_grad_(False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(EPOCHS):
        model.train()
        running = 0.0
        for i, (x,) in enumerate(loader):
            closing = (i + 1) % WINDOW == 0 or i + 1 == len(loader)
            with fresh_gradients(optimizer, first=i % WINDOW == 0):
                with precision("cpu"):
                    loss = training_loss(model, schedule, x)
                (loss / WINDOW).backward()
            running += loss.item()
            if closing:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                update_ema(ema, model, decay=0.95)
            if (i + 1) % SAMPLE_EVERY == 0:
                with ema_scope(model, ema):
                    samples = schedule.sample(model, count=8)
                print(f"epoch {epoch} batch {i + 1}: sample std {samples.std().item():.3f}")
        print(f"epoch {epoch}: loss {running / len(loader):.4f}")


if __name__ == "__main__":
    main()
