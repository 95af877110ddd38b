import torch
from torch.nn import functional as F

from swamp import *


def survey(net, batches, held_out, rounds):
    cast, scaler = halves()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    net.train()
    for number in range(rounds):
        for bands, kind in batches:
            with cast:
                logits = net(bands)
            loss = F.cross_entropy(logits.float(), kind)
            scaler.scale(loss).backward()
            commit(optimizer, scaler)
        print(number, accuracy(net, held_out))
