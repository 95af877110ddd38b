import torch
from torch import nn

from cellar import Barrel
from loop.callbacks import Decay, History, Pruner
from loop.trainer import Trainer


def main():
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(11, 22), nn.SiLU(), nn.Linear(22, 3))
    history = History()
    trainer = Trainer(net, Barrel(9), [Pruner(0.5), history, Decay()])
    trainer.train(epochs=3)
    print([round(float(value), 3) for value in history.losses[-3:]])


if __name__ == "__main__":
    main()
