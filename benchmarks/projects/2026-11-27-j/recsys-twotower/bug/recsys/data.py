import torch
from torch.utils.data import Dataset


class Interactions(Dataset):
    def __init__(self, users: int, items: int, interactions: int) -> None:
        g = torch.Generator().manual_seed(5)
        taste = torch.randint(4, (users,), generator=g)
        self.user = torch.randint(users, (interactions,), generator=g)
        noise = torch.randint(items // 4, (interactions,), generator=g)
        self.item = noise * 4 + taste[self.user]

    def __len__(self) -> int:
        return len(self.user)

    def __getitem__(self, i: int):
        return self.user[i], self.item[i]
