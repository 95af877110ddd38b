import itertools

import torch
from torch import nn

from retrieval.data import triplet_loader
from retrieval.nets import Embedder

model = Embedder(dim=128)
triplets = itertools.cycle(triplet_loader("sop", batch_size=24))
margin = nn.TripletMarginLoss(margin=0.2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
decay = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2000, gamma=0.3)

losses = []
model.train()
optimizer.zero_grad()
for iteration in range(1, 40_001):
    anchor, positive, negative = next(triplets)
    loss = margin(model(anchor), model(positive), model(negative))
    loss.backward()
    losses.append(loss.item())
    if iteration % 4 == 0:
        optimizer.step()
        decay.step()
        optimizer.zero_grad()
    if iteration % 400 == 0:
        recent = losses[-400:]
        print(f"{iteration:6d}  {sum(recent) / len(recent):.4f}  lr {decay.get_last_lr()[0]:.5f}")

torch.save(model.state_dict(), "embedder.pt")
