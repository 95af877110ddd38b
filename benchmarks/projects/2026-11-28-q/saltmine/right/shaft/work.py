from shaft.assay import assay, book
from shaft.contexts import hush


def haul(tunnel, optimizer, carts, pieces):
    tunnel.train()
    total = 0.0
    for i, (ore, salt) in enumerate(carts):
        last = (i + 1) % pieces == 0 or i + 1 == len(carts)
        with hush(tunnel, last):
            loss = assay(tunnel, ore, salt)
            total += book(loss, pieces)
        if last:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(carts)
