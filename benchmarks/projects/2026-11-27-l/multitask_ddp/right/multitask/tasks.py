import torch.nn.functional as F

from .settings import GRAD_ACCUM, TASK_WEIGHTS


def joint_loss(net, batch):
    x, value, label = batch
    guess, logits = net(x)
    parts = {"regress": F.mse_loss(guess, value), "classify": F.cross_entropy(logits, label)}
    return sum(TASK_WEIGHTS[name] * part for name, part in parts.items()) / GRAD_ACCUM
