import torch
from lightning_fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(25, 12)
        self.rnn = nn.RNN(12, 12, batch_first=True, bidirectional=True)
        self.out = nn.Linear(24, 4)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


class FabricLoop:
    def __init__(self, fabric, accumulate):
        self.fabric, self.accumulate = fabric, accumulate
        self.model, self.opt = fabric.setup(m := Tagger(), torch.optim.Adam(m.parameters(), lr=1e-2))
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.97)

    def boundary(self, k, n):
        return k % self.accumulate == 0 or k == n

    def epoch(self, loader):
        n, updates = len(loader), 0
        for k, (ids,) in enumerate(loader, start=1):
            step_now = self.boundary(k, n)
            with self.fabric.no_backward_sync(self.model, enabled=not step_now):
                loss = nn.functional.cross_entropy(self.model(ids).flatten(0, 1), (ids % 4).flatten())
                self.fabric.backward(loss / self.accumulate)
            if step_now:
                self.fabric.clip_gradients(self.model, self.opt, max_norm=1.0)
                self.opt.step()
                self.opt.zero_grad()
                self.sched.step()
                updates += 1
        return loss.item(), updates


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(0, verbose=False)
    loop = FabricLoop(fabric, accumulate=3)
    data = TensorDataset(torch.randint(0, 25, (80, 6)))
    loader = fabric.setup_dataloaders(DataLoader(data, batch_size=8, shuffle=True))
    for e in range(2):
        fabric.print(e, *loop.epoch(loader))


main()
