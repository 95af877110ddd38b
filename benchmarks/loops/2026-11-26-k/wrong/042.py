import random

import torch
import torch.nn as nn

random.seed(33)
torch.manual_seed(33)

sentences = [torch.randint(0, 20, (random.randint(4, 9),)) for _ in range(26)]
tagger = nn.Sequential(nn.Embedding(20, 16), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.01)
UPDATE_EVERY = 8

for epoch in range(5):
    random.shuffle(sentences)
    pending, losses = 0, []
    for words in sentences:
        tags = words % 4
        loss = nn.functional.cross_entropy(tagger(words), tags)
        (loss / UPDATE_EVERY).backward()
        losses.append(loss.item())
        pending += 1
        if pending == UPDATE_EVERY:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
    print("epoch", epoch, "nll", round(sum(losses) / len(losses), 4))
