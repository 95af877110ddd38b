import dataclasses
import time

import torch
from torch.utils.data import DataLoader, IterableDataset

from minilm.model import Transformer
from minilm.shards import TokenShards


@dataclasses.dataclass
class Config:
    steps: int = 20_000
    micro_batch: int = 8
    seq_len: int = 2048
    grad_accum: int = 16
    lr: float = 3e-4
    clip: float = 1.0
    log_every: int = 10


def batches(dataset: IterableDataset, cfg: Config):
    while True:
        yield from DataLoader(dataset, batch_size=cfg.micro_batch, num_workers=2, pin_memory=True)


def main(cfg: Config) -> None:
    torch.set_float32_matmul_precision("high")
    model = torch.compile(Transformer.from_name("160m").cuda())
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95), fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 500))
    stream = batches(TokenShards("data/*.bin", cfg.seq_len), cfg)

    t0 = time.perf_counter()
    for step in range(cfg.steps):
        mean_loss = 0.0
        for _ in range(cfg.grad_accum):
            tokens = next(stream).cuda(non_blocking=True)
            with torch.autocast("cuda", torch.bfloat16):
                loss = model(tokens[:, :-1], targets=tokens[:, 1:])
            mean_loss += loss.item() / cfg.grad_accum
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if step % cfg.log_every == 0:
            rate = cfg.log_every * cfg.grad_accum * cfg.micro_batch * cfg.seq_len / (time.perf_counter() - t0)
            print(f"{step:6d} loss {mean_loss:.4f} tok/s {rate:,.0f}")
            t0 = time.perf_counter()


if __name__ == "__main__":
    main(Config())
