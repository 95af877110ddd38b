from torch.nn.utils import clip_grad_norm_


def update(optimizer, params, limit=0.8):
    clip_grad_norm_(params, limit)
    optimizer.step()
