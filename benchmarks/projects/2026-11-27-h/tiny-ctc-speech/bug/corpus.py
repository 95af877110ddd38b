import torch
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, n, cfg, seed):
        g = torch.Generator().manual_seed(seed)
        self.text = torch.randint(1, cfg.tokens, (n, 4), generator=g)
        codes = torch.randn(cfg.tokens, cfg.mels, generator=torch.Generator().manual_seed(0))
        frames = codes[self.text].repeat_interleave(4, dim=1)
        self.audio = frames + 0.3 * torch.randn(frames.shape, generator=g)

    def __len__(self):
        return len(self.text)

    def __getitem__(self, i):
        return self.audio[i], self.text[i]


def loaders(cfg):
    return (
        DataLoader(Utterances(64, cfg, 1), batch_size=cfg.batch, shuffle=True),
        DataLoader(Utterances(24, cfg, 2), batch_size=cfg.batch),
    )
