import torch
from torch.nn.functional import l1_loss

from depot.gears import idle, shift


def night(net, roads, optimizer, scaler, logbook):
    net.train()
    for road, hours in roads:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = l1_loss(net(road), hours)
        scaler.scale(loss).backward()
        shift(scaler, optimizer)
        logbook.write(loss=loss)
    idle(scaler, logbook)
