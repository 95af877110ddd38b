import argparse
import math

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import AutoencoderKL, DDPMScheduler, UNet2DConditionModel
from diffusers.optimization import get_scheduler
from transformers import CLIPTextModel

from dreambooth.data import build_dataloader


def main(args):
    accelerator = Accelerator(
        gradient_accumulation_steps=args.gradient_accumulation_steps,
        mixed_precision="fp16",
    )
    text_encoder = CLIPTextModel.from_pretrained(args.model, subfolder="text_encoder").requires_grad_(False)
    vae = AutoencoderKL.from_pretrained(args.model, subfolder="vae").requires_grad_(False)
    unet = UNet2DConditionModel.from_pretrained(args.model, subfolder="unet")
    noise_scheduler = DDPMScheduler.from_pretrained(args.model, subfolder="scheduler")

    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.learning_rate, weight_decay=1e-2)
    loader = build_dataloader(args)
    lr_scheduler = get_scheduler(
        "constant_with_warmup",
        optimizer=optimizer,
        num_warmup_steps=args.warmup * accelerator.num_processes,
    )
    unet, optimizer, loader, lr_scheduler = accelerator.prepare(unet, optimizer, loader, lr_scheduler)
    vae.to(accelerator.device, dtype=torch.float16)
    text_encoder.to(accelerator.device, dtype=torch.float16)

    epochs = math.ceil(args.max_train_steps * args.gradient_accumulation_steps / len(loader))
    global_step = 0
    for _ in range(epochs):
        unet.train()
        for batch in loader:
            with accelerator.accumulate(unet):
                with torch.no_grad():
                    latents = vae.encode(batch["pixel_values"].half()).latent_dist.sample() * 0.18215
                    cond = text_encoder(batch["input_ids"])[0]
                noise = torch.randn_like(latents)
                t = torch.randint(0, 1000, (latents.shape[0],), device=latents.device)
                pred = unet(noise_scheduler.add_noise(latents, noise, t), t, cond).sample
                loss = F.mse_loss(pred.float(), noise.float())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    torch.nn.utils.clip_grad_norm_(unet.parameters(), args.max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad(set_to_none=True)
            if accelerator.sync_gradients:
                global_step += 1
                accelerator.log({"loss": loss.detach().item()}, step=global_step)
            if global_step >= args.max_train_steps:
                return


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="runwayml/stable-diffusion-v1-5")
    parser.add_argument("--learning_rate", type=float, default=5e-6)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=4)
    parser.add_argument("--max_train_steps", type=int, default=800)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    parser.add_argument("--warmup", type=int, default=100)
    main(parser.parse_args())
