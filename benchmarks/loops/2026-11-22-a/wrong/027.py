import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import AutoencoderKL, DDPMScheduler, UNet2DConditionModel
from diffusers.optimization import get_scheduler
from transformers import CLIPTextModel, CLIPTokenizer

from concepts import concept_loader


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, mixed_precision="bf16")
    tokenizer = CLIPTokenizer.from_pretrained(args.base, subfolder="tokenizer")
    text_encoder = CLIPTextModel.from_pretrained(args.base, subfolder="text_encoder").requires_grad_(False)
    vae = AutoencoderKL.from_pretrained(args.base, subfolder="vae").requires_grad_(False)
    unet = UNet2DConditionModel.from_pretrained(args.base, subfolder="unet")
    noise_scheduler = DDPMScheduler.from_pretrained(args.base, subfolder="scheduler")

    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.lr)
    lr_scheduler = get_scheduler("constant_with_warmup", optimizer=optimizer, num_warmup_steps=500)
    loader = concept_loader(args.data, tokenizer, args.batch_size)
    unet, optimizer, loader, lr_scheduler = accelerator.prepare(unet, optimizer, loader, lr_scheduler)
    text_encoder.to(accelerator.device)
    vae.to(accelerator.device)

    global_step = 0
    unet.train()
    while global_step < args.max_train_steps:
        for batch in loader:
            with accelerator.accumulate(unet):
                optimizer.zero_grad()
                with torch.no_grad():
                    latents = vae.encode(batch["pixels"]).latent_dist.sample() * vae.config.scaling_factor
                    context = text_encoder(batch["input_ids"])[0]
                noise = torch.randn_like(latents)
                t = torch.randint(0, noise_scheduler.config.num_train_timesteps, (len(latents),), device=latents.device)
                noisy = noise_scheduler.add_noise(latents, noise, t)
                pred = unet(noisy, t, context).sample
                loss = F.mse_loss(pred.float(), noise.float())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(unet.parameters(), 1.0)
                    global_step += 1
                optimizer.step()
                lr_scheduler.step()
            if global_step >= args.max_train_steps:
                break
    accelerator.end_training()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--base", default="runwayml/stable-diffusion-v1-5")
    p.add_argument("--data", required=True)
    p.add_argument("--batch_size", type=int, default=1)
    p.add_argument("--gradient_accumulation_steps", type=int, default=4)
    p.add_argument("--lr", type=float, default=1e-5)
    p.add_argument("--max_train_steps", type=int, default=15000)
    main(p.parse_args())
