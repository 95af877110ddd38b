import random

import torch

from exam import exact_chars
from pairs import ABC, make_pairs, minibatches
from toolbox import open_toolbox, tame

random.seed(0)
torch.manual_seed(0)
box = open_toolbox(len(ABC) + 1)
src, tgt = make_pairs(400)
test_src, test_tgt = make_pairs(100)

for epoch in range(4):
    box.net.train()
    norms, losses = [], []
    for s, t in minibatches(src, tgt, 20):
        box.opt.zero_grad()
        loss = box.loss(box.net(s).flatten(0, 1), t.flatten())
        norms.append(tame(box))
        loss.backward()
        box.opt.step()
        losses.append(loss.item())
    box.pace.step
    print("epoch", epoch, "loss", round(sum(losses) / len(losses), 4), "norm", round(max(norms), 3),
          "lr", box.opt.param_groups[0]["lr"], "test", round(exact_chars(box, test_src, test_tgt), 3))
