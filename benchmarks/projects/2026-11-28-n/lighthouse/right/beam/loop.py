from contextlib import nullcontext

from beam.forward import share_of


def sweep(lamp, loader, updates, accum):
    lamp.train()
    seen, total = 0.0, len(loader)
    for i, batch in enumerate(loader):
        last = i % accum == accum - 1 or i == total - 1
        if i % accum == 0:
            updates.begin()
        with nullcontext() if last else lamp.no_sync():
            share = share_of(lamp, batch, accum)
        share.backward()
        seen += share.item() * accum
        if last:
            updates.end()
    return round(seen / total, 4)
