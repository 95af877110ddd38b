import torch
from torch.utils.data import DataLoader, Dataset


class Paraphrases(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.first = torch.randint(0, 32, (n, 6), generator=g)
        other = torch.randint(0, 32, (n, 6), generator=g)
        self.labels = torch.randint(0, 2, (n,), generator=g)
        same = self.first[:, torch.randperm(6, generator=g)]
        self.second = torch.where(self.labels[:, None] == 1, same, other)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return {"first": self.first[i], "second": self.second[i], "labels": self.labels[i]}


def get_dataloaders(batch_size):
    return (DataLoader(Paraphrases(88, 0), shuffle=True, batch_size=batch_size),
            DataLoader(Paraphrases(40, 1), batch_size=batch_size))
