import torch

from parallel import sync_scope


class Pretrainer:
    def __init__(self, net, optimizer, schedule, accum):
        self.net, self.optimizer, self.schedule, self.accum = net, optimizer, schedule, accum

    def epoch(self, loader):
        self.net.train()
        self.optimizer.zero_grad()
        total = 0.0
        for i, (x,) in enumerate(loader):
            closing = (i + 1) % self.accum == 0 or i + 1 == len(loader)
            with sync_scope(self.net, closing):
                loss = self.net(x, (torch.rand_like(x) > 0.4).float())
                (loss / self.accum).backward()
            total += loss.item()
            if closing:
                self.optimizer.step()
                self.schedule.step()
                self.optimizer.zero_grad()
        return total / len(loader)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            mean = self.epoch(loader)
            print(f"epoch {epoch} loss {mean:.4f} lr {self.schedule.get_last_lr()[0]:.5f}")
