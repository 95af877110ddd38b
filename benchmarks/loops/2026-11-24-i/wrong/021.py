import torch
from torch import nn


def run(steps=15):
    torch.manual_seed(47)
    kind = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).to(kind)
    head = nn.Linear(16, 16).to(kind)
    opt = torch.optim.AdamW([*model.parameters(), *head.parameters()], lr=1e-3)
    scaler = torch.amp.GradScaler(kind)
    for _ in range(steps):
        x = torch.randn(4, 6, 16, device=kind)
        opt.zero_grad()
        with torch.autocast(device_type=kind, dtype=torch.bfloat16):
            loss = (head(model(x)) - x).square().mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    return loss.item()


print(run())
