import torch

from .registry import PROTOCOLS


@PROTOCOLS.register("recall")
@torch.no_grad()
def recall(model, loader):
    model.eval()
    hits = seen = 0
    for user, item in loader:
        hits += (model.scores(user).argmax(1) == item).sum().item()
        seen += len(user)
    return hits / seen


@PROTOCOLS.register("mrr")
def reciprocal_rank(model, loader):
    model.eval()
    total = seen = 0
    for user, item in loader:
        scores = model.scores(user)
        rank = (scores > scores.gather(1, item[:, None])).sum(1) + 1
        total += (1.0 / rank).sum().item()
        seen += len(user)
    return total / seen
