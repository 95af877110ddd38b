import torch
from torch.nn import functional as F


class Trainer:
    def __init__(self, net, optimizer, precision, max_norm):
        self.net, self.optimizer = net, optimizer
        self.precision, self.max_norm = precision, max_norm

    def loss(self, kinds, bonds, target):
        with self.precision.cast():
            guess = self.net(kinds, bonds)
        return F.mse_loss(guess.float(), target)

    def train_batch(self, batch):
        scaler = self.precision.scaler
        self.optimizer.zero_grad()
        loss = self.loss(*batch)
        scaler.scale(loss).backward()
        scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
        scaler.step(self.optimizer)
        scaler.update()
        return loss.item()

    @torch.no_grad()
    def mean_loss(self, batches):
        self.net.eval()
        return sum(self.loss(*batch).item() for batch in batches) / len(batches)
