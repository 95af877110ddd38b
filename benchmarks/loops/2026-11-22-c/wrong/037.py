from itertools import islice

import torch
import torch.nn.functional as F


def batched(iterable, n):
    it = iter(iterable)
    while group := list(islice(it, n)):
        yield group


class MoleculeRun:
    def __init__(self, net, loader, lr=1e-3, group=6):
        self.net = net
        self.loader = loader
        self.group = group
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr, amsgrad=True)
        self.step_count = 0

    def update(self, group):
        summed = 0.0
        for batch in group:
            energy = self.net(batch["positions"])
            loss = F.mse_loss(energy, batch["energy"]) / len(batch)
            loss.backward()
            summed += loss.item()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.step_count += 1
        return summed

    def run(self, epochs):
        for epoch in range(epochs):
            self.net.train()
            for group in batched(self.loader, self.group):
                summed = self.update(group)
            print(epoch, self.step_count, summed)
