import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


class TwoPhase:
    def __init__(self, network, rank, lr=1e-3, parts=3):
        self.model = DistributedDataParallel(network.to(rank), device_ids=[rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.parts = parts
        self.rank = rank

    def loss(self, x, y):
        return F.mse_loss(self.model(x.to(self.rank)), y.to(self.rank)) / self.parts

    def update(self, batches):
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        *early, final = batches
        for x, y in early:
            with self.model.no_sync():
                loss = self.loss(x, y)
            loss.backward()
            total += loss.item()
        loss = self.loss(*final)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return total + loss.item()

    def fit(self, stream, updates):
        self.model.train()
        for n in range(updates):
            loss = self.update([next(stream) for _ in range(self.parts)])
            if n % 100 == 0 and self.rank == 0:
                print(n, loss)
