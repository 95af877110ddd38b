import torch.nn.functional as F


def next_token_loss(model, ids, s):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()) / s.grad_accum


def limit(accelerator, model, s):
    accelerator.clip_grad_norm_(model.parameters(), s.max_norm)
