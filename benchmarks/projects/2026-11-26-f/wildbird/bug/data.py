import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class ClipLoader(DataLoader):
    """A loader of spectrogram clips that knows about its sampler."""

    def reseed(self, epoch):
        self.sampler.set_epoch(epoch)

    @property
    def clips(self):
        return len(self.dataset)


def spectrograms(n, species, generator):
    labels = torch.randint(species, (n,), generator=generator)
    frames = torch.randn(n, 1, 16, 20, generator=generator) * 0.4
    for i, label in enumerate(labels.tolist()):
        frames[i, 0, 2 + 2 * label : 4 + 2 * label] += 1.0
    return TensorDataset(frames, labels)


def build(cfg):
    generator = torch.Generator().manual_seed(cfg["seed"])
    train = spectrograms(cfg["clips"], cfg["species"], generator)
    held_out = spectrograms(40, cfg["species"], generator)
    sampler = DistributedSampler(train, shuffle=True, seed=cfg["seed"])
    return (
        ClipLoader(train, batch_size=cfg["batch"], sampler=sampler),
        ClipLoader(held_out, batch_size=cfg["batch"]),
    )
