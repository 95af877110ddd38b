import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.TransformerEncoderLayer(d_model=16, nhead=2, dim_feedforward=32, batch_first=True).to(device)
head = nn.Linear(16, 16).to(device)
params = [*model.parameters(), *head.parameters()]
opt = torch.optim.AdamW(params, lr=1e-3)
for step in range(15):
    x = torch.randn(4, 10, 16, device=device)
    mask = torch.rand(4, 10, device=device) < 0.3
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        out = head(model(x.masked_fill(mask.unsqueeze(-1), 0.0)))
        loss = (out - x)[mask].float().square().mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    grad_norm = nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    if step % 5 == 0:
        print({"step": step, "loss": loss.item(), "grad_norm": grad_norm.item()})
