import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Deck(Dataset):
    def __init__(self, size):
        gen = torch.Generator().manual_seed(77)
        self.cards = torch.randn(size, 6, generator=gen)
        self.worth = self.cards.abs().max(dim=1).values

    def __len__(self):
        return len(self.cards)

    def __getitem__(self, at):
        return self.cards[at], self.worth[at]


def deal(deck, seed):
    """Each hand has an order of its own."""
    sampler = DistributedSampler(deck, num_replicas=1, rank=0, shuffle=True, seed=seed)
    return DataLoader(deck, batch_size=9, sampler=sampler, drop_last=True)


def train(record, hands=4):
    torch.manual_seed(31)
    deck = Deck(60)
    net = nn.Sequential(nn.Linear(6, 12), nn.ELU(), nn.Linear(12, 1))
    opt = torch.optim.RMSprop(net.parameters(), lr=3e-3)
    for hand in range(hands):
        for cards, worth in deal(deck, seed=100 + hand):
            opt.zero_grad()
            nn.functional.smooth_l1_loss(net(cards).squeeze(1), worth).backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
