import torch
from torch import nn
from torch.nn import functional as F


class Segmenter:
    def __init__(self, net, window):
        self.net, self.window = net, window
        self.opt = torch.optim.SGD(net.parameters(), lr=0.3)
        self.updates = 0

    def _flush(self, record):
        nn.utils.clip_grad_value_(self.net.parameters(), 0.5)
        self.opt.step()
        record(list(self.net.parameters()))
        self.updates += 1

    def epoch(self, images, masks, record):
        seen, total = 0, 0.0
        for image, mask in zip(images, masks):
            self.opt.zero_grad()
            logits = self.net(image)
            loss = F.binary_cross_entropy_with_logits(logits, mask)
            (loss / self.window).backward()
            total += loss.item()
            seen += 1
            if seen % self.window == 0:
                self._flush(record)
        if seen % self.window:
            self._flush(record)
        return total / seen


def circles(n, size=8):
    grid = torch.linspace(-1, 1, size)
    radius = grid[:, None] ** 2 + grid[None, :] ** 2
    masks = (radius[None] < 0.2 + 0.6 * torch.rand(n, 1, 1)).float()
    images = masks + 0.3 * torch.randn(n, size, size)
    return images[:, None, None], masks[:, None, None]


def train(record):
    torch.manual_seed(7)
    net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1))
    worker = Segmenter(net, window=4)
    images, masks = circles(14)
    for _ in range(3):
        print(worker.epoch(images, masks, record), worker.updates)


if __name__ == "__main__":
    train(lambda parameters: None)
