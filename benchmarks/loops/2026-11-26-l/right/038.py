import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, 4))
decoder = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 20))
ae = nn.Sequential(encoder, decoder)
opt = torch.optim.AdamW(ae.parameters(), lr=4e-3)
chunks = [torch.rand(8, 20) for _ in range(12)]
for epoch in range(3):
    for i, x in enumerate(chunks):
        code = encoder(x)
        loss = nn.functional.mse_loss(decoder(code), x) + 0.1 * code.abs().mean()
        (0.25 * loss).backward()
        if i & 3 == 3:
            opt.step()
            opt.zero_grad()
    print(epoch, loss.item())
