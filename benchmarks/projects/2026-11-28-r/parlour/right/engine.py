from torch.nn.functional import smooth_l1_loss

from utils.dist import turn


def milk(model, loader, optimizer, meter, window):
    model.train()
    optimizer.zero_grad()
    for n, (cow, litres) in enumerate(loader, start=1):
        last = n % window == 0 or n == len(loader)
        with turn(model, last):
            loss = smooth_l1_loss(model(cow), litres)
            (loss / window).backward()
        meter.add(loss, len(cow))
        if last:
            optimizer.step()
            optimizer.zero_grad()
