import torch.nn.functional as F


def next_token_loss(model, batch, cfg):
    (ids,) = batch
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.reshape(-1, cfg.vocab), ids[:, 1:].reshape(-1))
