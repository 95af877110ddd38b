import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

JOINTS = 8


def walks(n, seed):
    g = torch.Generator().manual_seed(seed)
    phase = 6.28 * torch.rand(n, 1, generator=g)
    offset = torch.linspace(0, 3, JOINTS)
    swing = (phase + offset).sin()
    pose = torch.stack([0.4 * swing, offset.expand(n, -1) / 3, 0.3 * (phase + offset).cos()], -1)
    angle = 0.3 * torch.randn(n, 1, generator=g)
    flat = torch.stack([pose[..., 0] * angle.cos() + pose[..., 2] * angle.sin(), pose[..., 1]], -1)
    return TensorDataset(flat.flatten(1), pose)


class Loaders:
    """The two loaders of the assignment; `shuffle` starts a new epoch."""

    def __init__(self, batch_size=8):
        train, val = walks(104, seed=1), walks(32, seed=2)
        self.train_sampler = DistributedSampler(train, shuffle=True)
        self.val_sampler = DistributedSampler(val, shuffle=False)
        self.train = DataLoader(train, batch_size, sampler=self.train_sampler)
        self.val = DataLoader(val, batch_size, sampler=self.val_sampler)

    def shuffle(self, epoch):
        self.train_sampler.set_epoch(epoch)
