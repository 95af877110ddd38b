import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Mixer(nn.Module):
    def __init__(self, tokens=6, dim=12):
        super().__init__()
        self.tok = nn.Linear(tokens, tokens)
        self.chan = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 3)

    @torch.autocast(DEVICE, dtype=torch.bfloat16)
    def forward(self, x):
        x = x + self.tok(x.transpose(1, 2)).transpose(1, 2).relu()
        x = x + self.chan(x).relu()
        return self.head(x.mean(1))


model = Mixer().to(DEVICE)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(30):
    x = torch.randn(16, 6, 12, device=DEVICE)
    y = x[:, 0, :3].argmax(1)
    loss = nn.functional.cross_entropy(model(x).float(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, round(loss.item(), 4))
