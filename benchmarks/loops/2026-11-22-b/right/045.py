import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.optim.lr_scheduler import LinearLR
from torch.utils.data import DataLoader

from codec.data import AudioClips
from codec.model import NeuralCodec, spectral_loss


class CodecTraining:
    def __init__(self, root: str, *, accumulate: int = 4, lr: float = 3e-4, warmup: int = 1000):
        self.accelerator = Accelerator(gradient_accumulation_steps=accumulate, mixed_precision="bf16")
        model = NeuralCodec()
        optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.8, 0.99))
        scheduler = LinearLR(
            optimizer, 0.01, 1.0, total_iters=warmup * self.accelerator.num_processes
        )
        loader = DataLoader(AudioClips(root, seconds=1.0), 16, shuffle=True, num_workers=4, drop_last=True)
        self.model, self.optimizer, self.scheduler, self.loader = self.accelerator.prepare(
            model, optimizer, scheduler, loader
        )
        self.step = 0

    def losses(self, wav):
        out, commitment = self.model(wav)
        return {
            "wave": F.l1_loss(out, wav),
            "spec": spectral_loss(out, wav),
            "commit": 0.25 * commitment,
        }

    def micro_batch(self, wav):
        self.optimizer.zero_grad()
        with self.accelerator.accumulate(self.model):
            losses = self.losses(wav)
            self.accelerator.backward(torch.stack(list(losses.values())).sum())
            if self.accelerator.sync_gradients:
                self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
        return {k: v.detach() for k, v in losses.items()}

    def train(self, epochs: int):
        for epoch in range(epochs):
            self.model.train()
            for wav in self.loader:
                losses = self.micro_batch(wav)
                if not self.accelerator.sync_gradients:
                    continue
                self.step += 1
                if self.step % 100 == 0:
                    self.accelerator.print(self.step, {k: round(v.item(), 4) for k, v in losses.items()})
            self.accelerator.save_state(f"ckpt/{epoch}")


def count(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())
