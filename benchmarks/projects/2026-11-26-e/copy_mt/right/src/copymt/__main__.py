import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from .prepare import PREPARE
from .trainers import AmpMixin, ClippingTrainer

VOCAB = 20


class Copier(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


class CopyTrainer(AmpMixin, ClippingTrainer):
    max_norm = 0.5

    def compute_loss(self, source, target):
        logits = self.model(source)
        return nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def sentences(n=96):
    g = torch.Generator().manual_seed(2)
    ids = (torch.randint(1, VOCAB, (n, 1), generator=g) + torch.arange(10)) % (VOCAB - 1) + 1
    lengths = torch.randint(4, 11, (n, 1), generator=g)
    return ids * (torch.arange(10) < lengths)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--prepare", choices=sorted(PREPARE), default="bucketed")
    ap.add_argument("--epochs", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(0)
    model = Copier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    trainer = CopyTrainer(model, optimizer, PREPARE[args.prepare])
    for epoch in range(args.epochs):
        print(epoch, round(trainer.train_epoch(DataLoader(sentences(), batch_size=8, shuffle=True)), 4))
