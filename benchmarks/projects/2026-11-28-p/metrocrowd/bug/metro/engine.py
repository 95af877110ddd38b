from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_


def advance(scheduler):
    scheduler.step()
    return scheduler.get_last_lr()[0]


def train_epoch(model, loader, optimizer, trainable, max_norm):
    model.train()
    total = 0.0
    for hours, crowd in loader:
        optimizer.zero_grad()
        loss = mse_loss(model(hours), crowd)
        loss.backward()
        clip_grad_norm_(trainable, max_norm)
        optimizer.step()
        total += loss.item()
    return total / len(loader)
