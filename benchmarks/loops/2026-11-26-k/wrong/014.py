from itertools import cycle

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

MAX_ITERS = 24
ITER_SIZE = 4

torch.manual_seed(0)
imgs = torch.rand(40, 1, 10, 10)
masks = (imgs > 0.6).float()
loader = DataLoader(TensorDataset(imgs, masks), batch_size=8, shuffle=True)

segnet = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.Conv2d(8, 1, 1),
)
opt = torch.optim.SGD(segnet.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
bce = nn.BCEWithLogitsLoss()

stream = cycle(loader)
it = 0
segnet.train()
while it < MAX_ITERS:
    img, mask = next(stream)
    segnet.zero_grad()
    loss = bce(segnet(img), mask) / ITER_SIZE
    loss.backward()
    it += 1
    if it % ITER_SIZE == 0:
        opt.step()
        print(it // ITER_SIZE, loss.item() * ITER_SIZE)
