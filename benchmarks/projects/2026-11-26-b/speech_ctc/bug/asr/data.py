import torch
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, count, frames, n_mels, vocab, seed):
        g = torch.Generator().manual_seed(seed)
        self.feats = torch.randn(count, frames, n_mels, generator=g)
        self.texts = torch.randint(1, vocab, (count, 8), generator=g)
        self.feat_lens = torch.randint(frames // 2, frames + 1, (count,), generator=g)

    def __len__(self):
        return len(self.feats)

    def __getitem__(self, index):
        return self.feats[index], self.feat_lens[index], self.texts[index]


def collate(samples):
    feats, lens, texts = zip(*samples)
    return {
        "feats": torch.stack(feats),
        "feat_lens": torch.stack(lens),
        "texts": torch.stack(texts),
        "text_lens": torch.full((len(texts),), texts[0].numel(), dtype=torch.long),
    }


def make_loaders(cfg):
    train = Utterances(cfg.utterances, cfg.frames, cfg.n_mels, cfg.vocab, seed=1)
    dev = Utterances(12, cfg.frames, cfg.n_mels, cfg.vocab, seed=2)
    return (
        DataLoader(train, batch_size=cfg.batch_size, shuffle=True, collate_fn=collate),
        DataLoader(dev, batch_size=cfg.batch_size, collate_fn=collate),
    )
