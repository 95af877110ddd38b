from abc import ABC, abstractmethod

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class DataModule(ABC):
    batch_size = 16

    @abstractmethod
    def dataset(self): ...

    def train_loader(self):
        data = self.dataset()
        sampler = DistributedSampler(data, seed=self.seed)
        return DataLoader(data, batch_size=self.batch_size, sampler=sampler, drop_last=True)
