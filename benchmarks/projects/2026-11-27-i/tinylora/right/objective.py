import torch.nn.functional as F


def next_token_loss(model, ids, s):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


def limit(accelerator, model, s):
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), s.max_norm)
