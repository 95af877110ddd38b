from torch.nn import functional as F

from .contexts import limited, quiet
from .data import groups


def train_epoch(model, optimizer, batches, window):
    model.train()
    for group in groups(batches, window):
        optimizer.zero_grad()
        with limited(model.parameters(), 1.0):
            for k, (grains, species) in enumerate(group):
                logits = model(grains)
                with quiet(model, k == len(group) - 1):
                    loss = F.cross_entropy(logits, species) / len(group)
                    loss.backward()
        optimizer.step()
    return loss.item() * len(group)
