from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


def harvest(net, batches, optimizer, held, cast, scaler, limit):
    total, count = 0.0, 0
    for rows, yields in batches:
        optimizer.zero_grad()
        with cast():
            guess = net(rows)
        loss = F.mse_loss(guess.float(), yields)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(held, limit)
        scaler.step(optimizer)
        scaler.update()
        total, count = total + loss.item(), count + 1
    return total / count
