from .grads import limit, measure
from .losses import height_loss


def epoch(net, optimizer, tiles, window):
    net.train()
    norms = []
    for i, (points, heights) in enumerate(tiles):
        loss = height_loss(net(points), heights, window)
        loss.backward()
        norms.append(measure(net))
        if (i + 1) % window == 0 or i + 1 == len(tiles):
            limit(net)
            optimizer.step()
            optimizer.zero_grad()
    return max(norms)
