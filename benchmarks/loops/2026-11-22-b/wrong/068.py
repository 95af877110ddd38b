import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def wrap(module: nn.Module, rank: int) -> DDP:
    return DDP(module.to(rank), device_ids=[rank], gradient_as_bucket_view=True)


class MaskedAutoencoderTask:
    def __init__(self, encoder: nn.Module, decoder: nn.Module, rank: int, chunks: int = 4):
        self.rank = rank
        self.chunks = chunks
        self.encoder = wrap(encoder, rank)
        self.decoder = wrap(decoder, rank)
        params = [*self.encoder.parameters(), *self.decoder.parameters()]
        self.optimizer = torch.optim.AdamW(params, lr=1.5e-4, betas=(0.9, 0.95), weight_decay=0.05)

    def random_mask(self, images: torch.Tensor, ratio: float = 0.75) -> torch.Tensor:
        patches = (images.size(-1) // 16) ** 2
        return torch.rand(images.size(0), patches, device=images.device) < ratio

    def reconstruct(self, images: torch.Tensor) -> torch.Tensor:
        mask = self.random_mask(images)
        latent = self.encoder(images, mask)
        return self.decoder(latent, mask, images)

    def train_batch(self, images: torch.Tensor) -> float:
        parts = images.to(self.rank, non_blocking=True).chunk(self.chunks)
        final = len(parts) - 1
        value = 0.0
        self.optimizer.zero_grad(set_to_none=True)
        for k, part in enumerate(parts):
            scope = self.encoder.no_sync() if k < final else contextlib.nullcontext()
            with scope:
                loss = self.reconstruct(part) * (part.size(0) / images.size(0))
                loss.backward()
            value += loss.item()
        self.optimizer.step()
        return value


def pretrain(encoder, decoder, loader, epochs: int) -> None:
    rank = dist.get_rank() % torch.cuda.device_count()
    task = MaskedAutoencoderTask(encoder, decoder, rank)
    for epoch in range(epochs):
        loader.batch_sampler.set_epoch(epoch)
        task.encoder.train()
        task.decoder.train()
        losses = [task.train_batch(images) for images, _ in loader]
        if rank == 0:
            print(epoch, sum(losses) / len(losses))
