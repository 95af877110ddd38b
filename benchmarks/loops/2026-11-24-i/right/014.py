import torch
from torch import nn

torch.manual_seed(14)
kind = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1).to(kind)
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
for _ in range(10):
    x = torch.randn(3, 5, 8, device=kind)
    with torch.autocast(kind, dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(net(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
