from torch.nn import functional as F

from helpers.ranks import reduce_when


def one_epoch(model, optimizer, skeins, opts):
    model.train()
    optimizer.zero_grad()
    for i, (dye, shade) in enumerate(skeins):
        full = (i + 1) % opts.accumulate == 0
        last = i + 1 == len(skeins)
        with reduce_when(model, full):
            loss = F.mse_loss(model(dye), shade)
            (loss / opts.share).backward()
        if full or last:
            optimizer.step()
            optimizer.zero_grad()
