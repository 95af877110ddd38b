"""ViT-style classifier, minimal training file."""
import torch
from torch import nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
dtype = "bfloat16"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]


class ViT(nn.Module):
    def __init__(self, img=8, patch=4, dim=24, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, patch, stride=patch)
        self.pos = nn.Parameter(torch.zeros(1, (img // patch) ** 2, dim))
        self.block = nn.TransformerEncoderLayer(dim, 3, 48, dropout=0.0, batch_first=True, norm_first=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patch(x).flatten(2).transpose(1, 2) + self.pos
        return self.head(self.block(tokens).mean(1))


def get_batch(n=16):
    y = torch.randint(0, 4, (n,))
    x = torch.randn(n, 1, 8, 8) * 0.3
    for i, c in enumerate(y.tolist()):
        r, q = divmod(c, 2)
        x[i, 0, 4 * r:4 * r + 4, 4 * q:4 * q + 4] += 1
    return x.to(device), y.to(device)


torch.manual_seed(0)
model = ViT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler(device)

for it in range(40):
    x, y = get_batch()
    with torch.amp.autocast(device_type=device, dtype=ptdtype):
        loss = F.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if it % 10 == 0:
        print(f"iter {it}: loss {loss.item():.4f}")
