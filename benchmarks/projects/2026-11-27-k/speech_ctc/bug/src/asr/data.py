import torch
from torch.utils.data import DataLoader, Dataset


class ToneStrings(Dataset):
    """Synthetic utterances: each token is a run of frames around its own centroid."""

    def __init__(self, size: int, n_mels: int = 16, vocab: int = 6, seed: int = 0):
        self.centroids = torch.randn(vocab, n_mels, generator=torch.Generator().manual_seed(99))
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(size):
            length = int(torch.randint(2, 5, (1,), generator=g))
            tokens = torch.randint(1, vocab, (length,), generator=g)
            frames = self.centroids[tokens].repeat_interleave(5, 0)
            frames = frames + 0.2 * torch.randn(frames.shape, generator=g)
            self.items.append((frames, tokens))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    frames, tokens = zip(*items)
    feats = torch.nn.utils.rnn.pad_sequence(frames, batch_first=True)
    feat_lens = torch.tensor([len(f) for f in frames])
    token_lens = torch.tensor([len(t) for t in tokens])
    return feats, feat_lens, torch.cat(tokens), token_lens


def utterance_loader(size: int, batch_size: int, *, train: bool = True) -> DataLoader:
    dataset = ToneStrings(size, seed=0 if train else 1)
    return DataLoader(dataset, batch_size=batch_size, shuffle=train, collate_fn=collate)
