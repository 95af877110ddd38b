from torch.nn.utils import clip_grad_norm_

from events import on


@on("fit")
def reshuffle(runner):
    runner.loader.sampler.set_epoch(runner.epoch)


@on("stepped")
def bound(runner):
    clip_grad_norm_(runner.model.parameters(), 0.2)


@on("stepped")
def count(runner):
    runner.updates += 1


@on("epoch_done")
def show(runner):
    print(f"epoch {runner.epoch} loss {runner.mean:.4f} updates {runner.updates}")
