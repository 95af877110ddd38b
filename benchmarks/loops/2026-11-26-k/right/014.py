import torch
from torch import nn

torch.manual_seed(114)
encoder = nn.Linear(20, 8)
encoder.requires_grad_(False)
head = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
model = nn.Sequential(encoder, head)
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)

x = torch.randn(160, 20)
y = (encoder(x).sum(1) > 0).long()
for epoch in range(5):
    for idx in torch.randperm(160).chunk(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[idx]), y[idx])
        loss.backward()
        with_grad = (p for p in model.parameters() if p.grad is not None)
        nn.utils.clip_grad_norm_(with_grad, 0.2)
        optimizer.step()
    print(epoch, loss.item())
