import torch
from torch import nn

torch.manual_seed(48)
vit_dim, patches = 16, 9
embed = nn.Linear(12, vit_dim)
layer = nn.TransformerEncoderLayer(vit_dim, 4, 32, batch_first=True)
head = nn.Linear(vit_dim, 3)
model = nn.Sequential(embed, layer)
opt = torch.optim.AdamW([*model.parameters(), *head.parameters()], lr=1e-3)
scaler = torch.amp.GradScaler("cpu")

for step in range(6):
    patch_batch = torch.randn(8, patches, 12)
    cls = torch.randint(0, 3, (8,))
    opt.zero_grad()
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        pooled = model(patch_batch).mean(1)
        loss = nn.functional.cross_entropy(head(pooled).float(), cls)
        scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    print(f"{step}: {loss.item():.3f} (scale {scaler.get_scale():.0f})")
