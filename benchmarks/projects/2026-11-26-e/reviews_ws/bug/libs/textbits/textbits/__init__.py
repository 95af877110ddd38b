import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BagClassifier(nn.Module):
    def __init__(self, vocab=100, dim=24, classes=2):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(dim, classes)

    def forward(self, ids):
        return self.out(self.drop(self.emb(ids)))


def reviews(rows, batch, seed, shuffle=False):
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 100, (rows, 12), generator=g)
    y = (ids.float().mean(1) > 49.5).long()
    return DataLoader(TensorDataset(ids, y), batch_size=batch, shuffle=shuffle)
