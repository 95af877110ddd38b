import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(37)
accumulation_steps, max_grad_norm = 4, 0.5
reviews = torch.randint(0, 50, (64, 9))
stars = torch.randint(0, 5, (64,))
loader = DataLoader(TensorDataset(reviews, stars), batch_size=4, shuffle=True)
model = nn.Sequential(nn.EmbeddingBag(50, 16), nn.Linear(16, 5))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)

for epoch in range(2):
    model.zero_grad()
    for step, (ids, target) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(ids), target)
        loss = loss / accumulation_steps
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
        if (step + 1) % accumulation_steps == 0 or step + 1 == len(loader):
            optimizer.step()
            model.zero_grad()
    print(epoch, loss.item() * accumulation_steps)
