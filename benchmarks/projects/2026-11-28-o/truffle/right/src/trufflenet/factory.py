import torch
from torch import nn

OPTIMIZERS = {"adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}


def build_model(freeze_stem):
    model = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    if freeze_stem:
        model[0].bias.requires_grad_(False)
    return model


def trainable(model):
    return [p for p in filter(lambda p: p.requires_grad, model.parameters())]


def build_optimizer(options, weights):
    options = dict(options)
    return OPTIMIZERS[options.pop("name")](weights, **options)
