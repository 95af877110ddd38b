from torch import nn, optim


def build_model(cfg):
    stem, head = nn.Linear(5, cfg.width), nn.Linear(cfg.width, 1)
    if cfg.freeze_stem:
        stem.requires_grad_(False)
    return nn.Sequential(stem, nn.Tanh(), head)


def build_optimizer(model, cfg):
    trainable = list(filter(lambda p: p.requires_grad, model.parameters()))
    optimizer = optim.SGD(trainable, lr=cfg.lr, momentum=0.9)
    return optimizer, trainable


def build_scheduler(optimizer, cfg):
    return optim.lr_scheduler.ExponentialLR(optimizer, gamma=cfg.decay)
