import torch

from mlm.objective import IGNORE

MASK = 0


class Corpus:
    def __init__(self, sentences=88, length=16, vocab=24, batch=8, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        start = torch.randint(1, vocab, (sentences, 1), generator=self.gen)
        self.ids = (start + torch.arange(length)) % (vocab - 1) + 1
        self.batch, self.vocab = batch, vocab

    def __len__(self):
        return len(self.ids) // self.batch

    def __iter__(self):
        for rows in torch.randperm(len(self.ids), generator=self.gen).split(self.batch):
            ids = self.ids[rows]
            hide = torch.rand(ids.shape, generator=self.gen) < 0.25
            hide[:, 3] = True
            yield ids.masked_fill(hide, MASK), ids.masked_fill(~hide, IGNORE)
