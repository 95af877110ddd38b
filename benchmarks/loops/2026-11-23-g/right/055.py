import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Callback:
    def on_epoch_start(self, trainer): ...
    def on_epoch_end(self, trainer): ...


class Reshuffle(Callback):
    def on_epoch_start(self, trainer):
        for loader in trainer.loaders:
            sampler = getattr(loader, "sampler", None)
            if hasattr(sampler, "set_epoch"):
                sampler.set_epoch(trainer.epoch)


class Validate(Callback):
    @torch.no_grad()
    def on_epoch_end(self, trainer):
        trainer.model.eval()
        err = torch.stack([trainer.loss(b) for b in trainer.loaders[1]]).mean()
        dist.all_reduce(err)
        err = err.item() / dist.get_world_size()
        trainer.plateau.step(err)
        if dist.get_rank() == 0:
            print(trainer.epoch, round(err, 4), trainer.opt.param_groups[0]["lr"])


class Trainer:
    def __init__(self, model, loaders, callbacks, lr=0.03):
        self.model, self.loaders, self.callbacks = DDP(model), loaders, callbacks
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.opt, patience=0)
        self.epoch = 0

    def loss(self, batch):
        x, y = batch
        return nn.functional.l1_loss(self.model(x), y)

    def emit(self, event):
        for c in self.callbacks:
            getattr(c, event)(self)

    def fit(self, epochs):
        while self.epoch < epochs:
            self.emit("on_epoch_start")
            self.model.train()
            for batch in self.loaders[0]:
                self.opt.zero_grad()
                self.loss(batch).backward()
                self.opt.step()
            self.emit("on_epoch_end")
            self.epoch += 1


if "RANK" in os.environ:
    dist.init_process_group("gloo")
else:
    dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
torch.manual_seed(0)
x = torch.randn(80, 3)
train, val = TensorDataset(x[:60], x[:60].norm(dim=1, keepdim=True)), TensorDataset(x[60:], x[60:].norm(dim=1, keepdim=True))
loaders = DataLoader(train, 10, sampler=DistributedSampler(train)), DataLoader(val, 10, sampler=DistributedSampler(val, shuffle=False))
Trainer(nn.Sequential(nn.Linear(3, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 1)), loaders, [Reshuffle(), Validate()]).fit(4)
dist.destroy_process_group()
