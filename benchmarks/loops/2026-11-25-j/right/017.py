import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(117)
encoder = nn.Sequential(nn.Linear(14, 10), nn.ReLU())
decoder = nn.Sequential(nn.Linear(10, 14))
optim = torch.optim.SGD(
    [{"params": encoder.parameters(), "lr": 0.05}, {"params": decoder.parameters(), "lr": 0.2}], momentum=0.8
)
loader = DataLoader(TensorDataset(torch.rand(56, 14)), batch_size=8, shuffle=True)
STEPS = 2
for epoch in range(2):
    for k, (x,) in enumerate(loader, 1):
        mask = (torch.rand_like(x) > 0.3).float()
        loss = nn.functional.mse_loss(decoder(encoder(x * mask)), x)
        (loss / STEPS).backward()
        if k % STEPS == 0 or k == len(loader):
            for part, limit in ((encoder, 0.05), (decoder, 0.1)):
                nn.utils.clip_grad_norm_(part.parameters(), limit)
            optim.step()
            optim.zero_grad()
    print(epoch, loss.item())
