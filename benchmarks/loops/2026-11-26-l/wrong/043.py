import torch
from torch import nn

torch.manual_seed(19)
UPDATE_EVERY = 6
net = nn.Sequential(nn.Linear(4, 32), nn.Mish(), nn.Linear(32, 2))
optimizer = torch.optim.Adamax(net.parameters(), lr=4e-3)
steps = [(torch.randn(5, 4), torch.randn(5, 2)) for _ in range(18)]

for epoch in range(3):
    optimizer.zero_grad(set_to_none=True)
    for idx, (state, target) in enumerate(steps, start=1):
        pred = net(state)
        loss = nn.functional.mse_loss(pred, target) + 1e-3 * pred.pow(2).mean()
        loss = loss / 4
        loss.backward()
        if idx % UPDATE_EVERY == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    print(epoch, 4 * loss.item())
