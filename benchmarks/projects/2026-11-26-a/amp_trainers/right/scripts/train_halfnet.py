import argparse
import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from trainers import HalfTrainer  # noqa: E402
from trainers.schedule import MilestonesMixin  # noqa: E402


class DigitTrainer(MilestonesMixin, HalfTrainer):
    def loss_of(self, batch):
        image, digit = (t.to(self.device) for t in batch)
        with self.autocast():
            logits = self.model(image)
        return nn.functional.cross_entropy(logits.float(), digit)


def digits(n):
    y = torch.randint(0, 10, (n,))
    x = torch.randn(n, 64) * 0.4
    for shift in range(3):
        x[torch.arange(n), y * 6 + shift] += 1
    return TensorDataset(x, y)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--max-norm", type=float, default=1.0)
    options = parser.parse_args()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
    trainer = DigitTrainer(net, options.lr, max_norm=options.max_norm)
    trainer.fit(DataLoader(digits(160), batch_size=16, shuffle=True), options.epochs)
