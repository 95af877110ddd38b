from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_


def fit_epoch(model, weights, optimizer, hunts, limit):
    model.train()
    total = 0.0
    for scent, found in hunts:
        optimizer.zero_grad()
        loss = cross_entropy(model(scent), found)
        loss.backward()
        clip_grad_norm_(weights, limit)
        optimizer.step()
        total += loss.item()
    return total / len(hunts)
