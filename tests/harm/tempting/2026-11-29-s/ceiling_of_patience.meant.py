"""Batches above a ceiling are remembered and seen again; a plateau of the mean loss lowers the rate."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

CEILING = 0.6


class Patient:
    def __init__(self, record, every=3):
        self.net = nn.Sequential(nn.Linear(4, 12), nn.ELU(), nn.Linear(12, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.06, momentum=0.5)
        self.plateau = ReduceLROnPlateau(self.opt, patience=0, threshold=0.15, threshold_mode="abs")
        self.every, self.record = every, record

    def sit(self, batches):
        again, mean = [], 0.0
        for number, (x, y) in enumerate(batches, 1):
            loss = nn.functional.smooth_l1_loss(self.net(x), y)
            (loss / self.every).backward()
            if loss.item() > CEILING:
                again.append((x, y))
            mean += loss.item() / len(batches)
            if number % self.every == 0 or number == len(batches):
                self.opt.step()
                self.record(list(self.net.parameters()))
                self.opt.zero_grad()
        self.plateau.step(mean)
        return again


def train(record):
    torch.manual_seed(14)
    patient = Patient(record)
    fresh = [(x, 2 * x[:, :1].abs() - x.sum(1, keepdim=True)) for x in torch.randn(10, 12, 4)]
    left = []
    for day in range(8):
        left = patient.sit(fresh + left[:2])


if __name__ == "__main__":
    train(lambda parameters: None)
