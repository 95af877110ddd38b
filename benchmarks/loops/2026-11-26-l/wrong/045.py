import torch
from torch import nn

torch.manual_seed(0)
patches = torch.randn(64, 9, 24)
targets = torch.randint(0, 6, (64,))


class MiniViT(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.cls = nn.Parameter(torch.zeros(1, 1, d))
        self.attn = nn.MultiheadAttention(d, 4, batch_first=True)
        self.fc = nn.Linear(d, 6)

    def forward(self, x):
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1)
        x = x + self.attn(x, x, x, need_weights=False)[0]
        return self.fc(x[:, 0])


vit = MiniViT()
opt = torch.optim.AdamW(vit.parameters(), lr=3e-3)
for epoch in range(3):
    for i in range(0, 64, 16):
        opt.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            logits = vit(patches[i:i + 16])
            loss = nn.functional.cross_entropy(logits, targets[i:i + 16])
            loss.backward()
        opt.step()
    print(epoch, loss.item())
