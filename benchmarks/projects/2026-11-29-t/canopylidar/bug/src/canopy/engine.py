from .grads import limit, measure
from .losses import height_loss


def epoch(net, optimizer, tiles, window):
    net.train()
    norms = []
    for i, (points, heights) in enumerate(tiles):
        loss = height_loss(net(points), heights, window)
        (loss / window).backward()
        norms.append(limit(net))
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
    return max(norms)
