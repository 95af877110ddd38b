import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(129)
corpus = torch.randint(0, 25, (64, 7))
cbow = nn.Sequential(nn.EmbeddingBag(25, 12, mode="mean"), nn.Linear(12, 25))
opt = torch.optim.SGD(cbow.parameters(), lr=0.5)

for epoch in range(3):
    total_loss = torch.zeros(1)
    per_batch = []
    for (grams,) in DataLoader(TensorDataset(corpus), batch_size=16, shuffle=True):
        context = torch.cat([grams[:, :3], grams[:, 4:]], dim=1)
        loss = nn.functional.cross_entropy(cbow(context), grams[:, 3])
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss = loss.detach()
        total_loss += loss
        per_batch.append(loss)
    print(f"epoch {epoch} mean {total_loss.item() / len(per_batch):.4f} worst {max(per_batch).item():.4f}")
