import torch
from torch.utils.data import Dataset

__all__ = ["Interactions"]


class Interactions(Dataset):
    def __init__(self, users, items, per_user=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.users, self.items = users, items
        taste = torch.randn(users, 4, generator=g) @ torch.randn(4, items, generator=g)
        top = taste.topk(per_user + 1, dim=1).indices
        self.test = top[:, 0]
        self.pairs = [(u, int(i)) for u in range(users) for i in top[u, 1:]]

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return self.pairs[index]

    def held_out(self, chunk=20):
        for users in torch.arange(self.users).split(chunk):
            yield users, self.test[users]
