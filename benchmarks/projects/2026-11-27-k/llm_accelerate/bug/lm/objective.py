from torch.nn import functional as F


def causal_lm_loss(logits, ids, args):
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    return loss / args.accum
