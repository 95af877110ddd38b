import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loader_for(settings, count=80, vocab=64, length=12):
    ids = torch.randint(0, vocab, (count, length))
    labels = (ids.float().mean(1) > vocab / 2).long()
    return DataLoader(TensorDataset(ids, labels), batch_size=settings["batch_size"], shuffle=True)


class BagOfWords(nn.Module):
    def __init__(self, dim, vocab=64):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim)
        self.out = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.out(torch.tanh(self.bag(ids)))
