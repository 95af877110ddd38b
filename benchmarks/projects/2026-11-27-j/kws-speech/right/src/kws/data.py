import torch
from torch.utils.data import DataLoader, TensorDataset

from .config import AudioConfig


def synthesize(n: int, audio: AudioConfig, seed: int) -> TensorDataset:
    gen = torch.Generator().manual_seed(seed)
    labels = torch.randint(audio.n_keywords, (n,), generator=gen)
    mels = 0.3 * torch.randn(n, audio.n_mels, audio.n_frames, generator=gen)
    for i, k in enumerate(labels.tolist()):
        mels[i, 3 * k : 3 * k + 3, 4 * k : 4 * k + 8] += 1.0
    return TensorDataset(mels, labels)


def make_loaders(audio: AudioConfig, batch_size: int) -> tuple[DataLoader, DataLoader]:
    train = DataLoader(synthesize(192, audio, 0), batch_size=batch_size, shuffle=True)
    dev = DataLoader(synthesize(64, audio, 1), batch_size=64)
    return train, dev
