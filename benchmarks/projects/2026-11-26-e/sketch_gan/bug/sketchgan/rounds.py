import torch
from torch.nn.functional import softplus
from torch.nn.utils import clip_grad_norm_


def critic_round(painter, critic, optimizer, params, real):
    with torch.no_grad():
        fake = painter.sample(len(real))
    optimizer.zero_grad(set_to_none=True)
    loss = softplus(-critic(real)).mean() + softplus(critic(fake)).mean()
    loss.backward()
    clip_grad_norm_(params, 1.0)
    optimizer.step()
    return loss.item()


def painter_round(painter, critic, optimizer, batch):
    for p in critic.parameters():
        p.requires_grad_(False)
    loss = softplus(-critic(painter.sample(batch))).mean()
    loss.backward()
    optimizer.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    return loss.item()
