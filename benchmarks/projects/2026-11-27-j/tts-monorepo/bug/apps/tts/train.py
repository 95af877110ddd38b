import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

from acoustic import Acoustic
from corpus import utterances
from trainkit.accumulate import backprop
from trainkit.cluster import launch
from trainkit.update import Update

WINDOW, EPOCHS = 5, 3


def run(parallelize):
    torch.manual_seed(4)
    batches = utterances()
    model = parallelize(Acoustic())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    updates = EPOCHS * (len(batches) // WINDOW)
    update = Update(optimizer, CosineAnnealingLR(optimizer, T_max=updates), max_norm=0.1)
    for epoch in range(EPOCHS):
        total = 0.0
        for n, (text, mel) in enumerate(batches, start=1):
            closes = n % WINDOW == 0 or n == len(batches)
            loss = F.l1_loss(model(text), mel)
            total += backprop(model, loss, WINDOW, closes)
            if closes:
                update.apply()
                norm = update.limit()
                update.clear()
        print(f"epoch {epoch} l1 {total / len(batches):.4f} norm {norm:.3f}")


if __name__ == "__main__":
    launch(run)
