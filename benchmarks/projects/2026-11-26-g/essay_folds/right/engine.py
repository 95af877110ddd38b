import numpy as np
import torch
from torch import nn

from config import CFG
from utils import AverageMeter, is_due, propagate


class EssayModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(CFG.vocab, 24)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(24, 2)

    def forward(self, x):
        return self.fc(self.drop(self.emb(x).mean(1)))


def train_fn(loader, model, criterion, optimizer, scheduler):
    model.train()
    losses = AverageMeter()
    optimizer.zero_grad()
    for step, (x, y) in enumerate(loader, start=1):
        loss = criterion(model(x), y)
        losses.update(loss.item(), len(y))
        ready = is_due(step, CFG.gradient_accumulation_steps) or step == len(loader)
        propagate(loss, model, CFG.gradient_accumulation_steps, CFG.max_grad_norm if ready else None)
        if ready:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return losses.avg


def valid_fn(loader, model):
    model.eval()
    preds = []
    for x, _ in loader:
        with torch.no_grad():
            preds.append(model(x).numpy())
    return np.concatenate(preds)
