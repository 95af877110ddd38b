from functools import partial
from typing import Any, NamedTuple

import torch

from mt.model import CharTranslator


class Setup(NamedTuple):
    model: torch.nn.Module
    optimizer: torch.optim.Optimizer
    weights: Any


OPTIMIZERS = {
    "adamw": partial(torch.optim.AdamW, betas=(0.9, 0.98), weight_decay=0.01),
    "sgd": partial(torch.optim.SGD, momentum=0.9),
}


def trainable(model):
    return list(filter(lambda p: p.requires_grad, model.parameters()))


def make_setup(vocab, *, optimizer="sgd", lr=0.1, freeze_embeddings=False):
    model = CharTranslator(vocab)
    if freeze_embeddings:
        model.embed.requires_grad_(False)
    weights = trainable(model)
    return Setup(model, OPTIMIZERS[optimizer](weights, lr=lr), weights)
