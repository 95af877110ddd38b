import torch
from torch.utils.data import DataLoader

from finetune.config import FinetuneConfig


def make_loader(cfg: FinetuneConfig) -> DataLoader:
    g = torch.Generator().manual_seed(11)
    start = torch.randint(cfg.vocab, (cfg.samples, 1), generator=g)
    ids = (start + 3 * torch.arange(cfg.seq_len + 1)) % cfg.vocab
    rows = [{"input_ids": row[:-1], "labels": row[1:]} for row in ids]
    return DataLoader(rows, batch_size=cfg.batch_size, shuffle=True)
