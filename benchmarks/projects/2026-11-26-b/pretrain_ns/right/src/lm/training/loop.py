from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from lm.training.sync import grad_sync


def next_token_loss(logits, tokens):
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def train_epoch(model, loader, optimizer, state):
    model.train()
    total = 0.0
    for tokens in loader:
        state.begin()
        last = state.boundary()
        with grad_sync(model, last):
            logits = model(tokens[:, :-1])
            loss = next_token_loss(logits, tokens)
            (loss / state.accum).backward()
        total += loss.item()
        if last:
            clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        state.end(last)
    return total / len(loader)
