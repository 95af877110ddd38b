import torch

PREPARE = {}


def prepares(name):
    def deco(fn):
        PREPARE[name] = fn
        return fn

    return deco


@prepares("plain")
def plain(trainer, batch):
    trainer.optimizer.zero_grad()
    return batch[:, :-1], batch[:, 1:]


@prepares("bucketed")
def bucketed(trainer, batch):
    trainer.optimizer.zero_grad()
    longest = int((batch != 0).sum(1).max())
    batch = batch[:, : max(longest, 2)]
    return batch[:, :-1], batch[:, 1:]
