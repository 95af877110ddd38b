import torch
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 3, (n,), generator=g)
        noise = torch.randint(0, 30, (n, 10), generator=g)
        topic = self.labels[:, None] * 10 + torch.randint(0, 10, (n, 10), generator=g)
        self.ids = torch.where(torch.rand(n, 10, generator=g) < 0.6, topic, noise)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.labels[i]}


def dataloaders(batch_size):
    return (
        DataLoader(Sentences(104, 0), batch_size=batch_size, shuffle=True),
        DataLoader(Sentences(40, 1), batch_size=batch_size),
    )
