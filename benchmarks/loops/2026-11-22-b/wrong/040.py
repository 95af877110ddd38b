import argparse

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.optim.lr_scheduler import CosineAnnealingLR

from lora.data import BucketDataset
from lora.networks import create_network
from lora.pipeline import load_models, noise_prediction_loss


class NetworkTrainer:
    def __init__(self, args):
        self.args = args
        self.accelerator = Accelerator(
            gradient_accumulation_steps=args.accumulation, mixed_precision=args.precision
        )

    def build(self):
        a = self.args
        unet, text_encoder, vae = load_models(a.base)
        for m in (unet, text_encoder, vae):
            m.requires_grad_(False)
        network = create_network(unet, rank=a.rank)
        optimizer = torch.optim.AdamW(network.parameters(), lr=a.lr)
        scheduler = CosineAnnealingLR(optimizer, T_max=a.steps * self.accelerator.num_processes)
        loader = BucketDataset(a.images).loader(a.batch)
        self.frozen = (unet, text_encoder, vae)
        return self.accelerator.prepare(network, optimizer, loader, scheduler)

    def train(self):
        set_seed(self.args.seed)
        network, optimizer, loader, scheduler = self.build()
        params = list(network.parameters())
        global_step = 0
        network.train()
        while global_step < self.args.steps:
            for batch in loader:
                with self.accelerator.accumulate(network):
                    optimizer.zero_grad(set_to_none=True)
                    loss = noise_prediction_loss(network, self.frozen, batch)
                    self.accelerator.backward(loss)
                    if self.accelerator.sync_gradients:
                        self.accelerator.clip_grad_norm_(params, self.args.max_norm)
                    optimizer.step()
                    scheduler.step()
                if self.accelerator.sync_gradients:
                    global_step += 1
                    if global_step % 50 == 0:
                        self.accelerator.print(global_step, loss.detach().item())
                    if global_step >= self.args.steps:
                        break
        self.accelerator.save_model(network, self.args.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--images", required=True)
    parser.add_argument("--out", default="lora")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--accumulation", type=int, default=4)
    parser.add_argument("--precision", default="bf16")
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=42)
    NetworkTrainer(parser.parse_args()).train()
