import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loader(cfg):
    generator = torch.Generator().manual_seed(0)
    start = torch.randint(0, cfg.vocab_size, (cfg.examples, 1), generator=generator)
    tokens = (start + torch.arange(cfg.seq_len + 1)) % cfg.vocab_size
    return DataLoader(TensorDataset(tokens), batch_size=cfg.batch_size, shuffle=True)
