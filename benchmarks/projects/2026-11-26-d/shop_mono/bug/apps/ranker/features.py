import torch


class ClickLog:
    def __init__(self, queries, per_query=6, dim=7, seed=0):
        g = torch.Generator().manual_seed(seed)
        truth = torch.randn(dim, generator=g)
        self.x = torch.randn(queries, per_query, dim, generator=g)
        self.best = (self.x @ truth).argmax(1)

    def chunks(self, size):
        return list(zip(self.x.split(size), self.best.split(size)))
