import torch
from torch.nn import functional as F

from mt.casting import lowp


@lowp()
def nll(model, source, target):
    return F.cross_entropy(model(source).flatten(0, 1), target.flatten())


def train_step(setup, source, target, max_norm):
    setup.optimizer.zero_grad()
    loss = nll(setup.model, source, target)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(setup.weights, max_norm)
    setup.optimizer.step()
    return loss.item()


@torch.inference_mode()
def exact(model, source, target):
    was_training = model.training
    model.eval()
    hit = (model(source).argmax(-1) == target).float().mean().item()
    model.train(was_training)
    return hit
