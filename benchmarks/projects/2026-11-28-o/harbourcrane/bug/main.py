import torch
from torch import nn

from crane.callbacks import CallbackList, ClipGradients, Progress
from crane.learner import Learner


def lifts(n, seed):
    gen = torch.Generator().manual_seed(seed)
    return [(torch.randn(10, 3, generator=gen), torch.randn(10, 2, generator=gen)) for _ in range(n)]


def main():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(3, 12), nn.GELU(), nn.Linear(12, 2))
    callbacks = CallbackList([ClipGradients(net, limit=0.5), Progress()])
    learner = Learner(net, torch.optim.Adam(net.parameters(), lr=3e-3), window=4, callbacks=callbacks)
    learner.fit(lifts(14, seed=7), epochs=2)


main()
