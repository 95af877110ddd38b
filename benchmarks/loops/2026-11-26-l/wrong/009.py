import torch
import torch.nn as nn


def dice_loss(logits, mask):
    prob = logits.sigmoid()
    inter = (prob * mask).sum(dim=(1, 2, 3))
    return (1 - (2 * inter + 1) / (prob.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


def compute_loss(unet, batch):
    img, mask = batch
    logits = unet(img)
    return dice_loss(logits, mask) + nn.functional.binary_cross_entropy_with_logits(logits, mask)


def train_one_epoch(unet, optimizer, batches, accumulate=4):
    unet.train()
    optimizer.zero_grad()
    meter = []
    for i, batch in enumerate(batches):
        loss = compute_loss(unet, batch)
        loss.backward()
        meter.append(loss.item())
        if (i + 1) % accumulate == 0 or (i + 1) == len(batches):
            optimizer.step()
            optimizer.zero_grad()
    return sum(meter) / len(meter)


if __name__ == "__main__":
    torch.manual_seed(0)
    unet = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
    optimizer = torch.optim.SGD(unet.parameters(), lr=0.1)
    imgs = [torch.randn(2, 1, 16, 16) for _ in range(10)]
    batches = [(x, (x > 0).float()) for x in imgs]
    for epoch in range(3):
        print(epoch, train_one_epoch(unet, optimizer, batches))
