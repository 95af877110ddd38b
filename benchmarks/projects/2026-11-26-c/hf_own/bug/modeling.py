import torch
from torch import nn
from torch.utils.data import TensorDataset


class GRULanguageModel(nn.Module):
    def __init__(self, vocab: int = 16, dim: int = 24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        h, _ = self.rnn(self.emb(ids))
        return self.head(self.drop(h))


class BagClassifier(nn.Module):
    def __init__(self, vocab: int = 16, dim: int = 24, classes: int = 3):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.Dropout(0.2), nn.Linear(dim, classes))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.mlp(self.emb(ids))


def lm_dataset(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    start = torch.randint(0, 16, (n, 1), generator=g)
    seq = (start + torch.arange(9)) % 16
    return TensorDataset(seq[:, :-1].contiguous(), seq[:, 1:].contiguous())


def cls_dataset(n: int, seed: int) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, 16, (n, 8), generator=g)
    return TensorDataset(ids, ids.sum(1) % 3)
