import torch
from torch.nn.functional import mse_loss

from perfumery.finish import finish
from perfumery.terms import harmony_backward


class Lab:
    def __init__(self, net, lr, harmony):
        self.net, self.harmony = net, harmony
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")

    def blend(self, notes, rating):
        self.optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = mse_loss(self.net(notes), rating)
        self.scaler.scale(loss).backward()
        gap = harmony_backward(self.net, notes, self.harmony)
        norm = finish(self.scaler, self.optimizer, self.net)
        return loss.item(), gap, norm

    def work(self, batches, days):
        for day in range(days):
            self.net.train()
            rows = [self.blend(notes, rating) for notes, rating in batches]
            print(day, [round(sum(column) / len(column), 4) for column in zip(*rows)])
