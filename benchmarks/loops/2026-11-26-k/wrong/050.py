import torch
from torch import nn

torch.manual_seed(41)
covariates = torch.randn(500, 5)
rate = (covariates @ torch.tensor([0.3, -0.2, 0.1, 0.0, 0.4])).exp()
counts = torch.poisson(rate)

glm = nn.Linear(5, 1)
optimizer = torch.optim.Adam(glm.parameters(), lr=0.01)
criterion = nn.PoissonNLLLoss(log_input=True)
batch_size = 50

for epoch in range(6):
    perm = torch.randperm(len(counts))
    total = 0.0
    for start in range(0, len(counts), batch_size):
        idx = perm[start : start + batch_size]
        optimizer.zero_grad
        loss = criterion(glm(covariates[idx]).squeeze(1), counts[idx])
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, total * batch_size / len(counts))
print(glm.weight.detach())
