import torch
from torch import nn


def batches(n=11, size=6):
    g = torch.Generator().manual_seed(3)
    for _ in range(n):
        img = torch.randn(size, 3, 8, 8, generator=g)
        yield img, (img.mean(dim=(1, 2, 3)) > 0).long()


def run(window=3, epochs=2, limit=0.5):
    net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(216, 2))
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for epoch in range(epochs):
        data = list(batches())
        sgd.zero_grad()
        for k, (img, lab) in enumerate(data, 1):
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.cross_entropy(net(img).float(), lab)
            scaler.scale(loss / window).backward()
            if k % window and k < len(data):
                continue
            scaler.step(sgd)
            nn.utils.clip_grad_norm_(net.parameters(), limit)
            scaler.update()
            sgd.zero_grad()
        print(epoch, loss.item(), scaler.get_scale())


run()
