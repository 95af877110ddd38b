import torch
from torch import nn

from bindery.base import Workshop


class AtlasBinder(Workshop):
    def __init__(self, args):
        self.net = nn.Sequential(nn.Linear(7, 14), nn.ELU(), nn.Linear(14, 2))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=args.lr, momentum=0.9)
        self.fade = torch.optim.lr_scheduler.StepLR(self.optimizer, args.fade_every, gamma=0.3)
        self.rein = args.rein

    def loss(self, batch):
        folds, offsets = batch
        return nn.functional.mse_loss(self.net(folds), offsets)

    def rein_in(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), self.rein)

    def open_year(self, year):
        self.net.train()
        self.fade.step()

    def close_year(self, year, mean):
        print(f"{year}: {mean:.5f} at {self.fade.get_last_lr()[0]:.4f}")
