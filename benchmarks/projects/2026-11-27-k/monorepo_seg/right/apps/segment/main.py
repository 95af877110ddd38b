import torch

from apps.segment.fit import fit
from apps.segment.network import conv_net
from apps.segment.warm import warm_start


def blobs(n, side=16):
    grid = torch.arange(side)
    center = torch.randint(4, side - 4, (n, 2))
    dist = (grid[None, :, None] - center[:, :1, None]) ** 2 + (grid[None, None] - center[:, 1:, None]) ** 2
    mask = (dist < 12).float()[:, None]
    return mask + 0.4 * torch.randn_like(mask), mask


def main():
    torch.manual_seed(4)
    batches = [blobs(8) for _ in range(16)]
    net = conv_net()
    warm_start(net, batches, group_size=4)
    fit(net, batches, epochs=4, micro=4)


if __name__ == "__main__":
    main()
