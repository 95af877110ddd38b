import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(59)


class WithAux(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(10, 20), nn.ReLU())
        self.aux = nn.Linear(20, 3)
        self.deep = nn.Sequential(nn.Linear(20, 20), nn.ReLU(), nn.Linear(20, 3))

    def forward(self, x):
        h = self.stem(x)
        return self.deep(h), self.aux(h)


model = WithAux()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(10):
    x, y = torch.randn(16, 10), torch.randint(0, 3, (16,))
    with torch.autocast("cpu", dtype=torch.float16):
        main_out, aux_out = model(x)
    main_loss = F.cross_entropy(main_out.float(), y)
    aux_loss = 0.4 * F.cross_entropy(aux_out.float(), y)
    opt.zero_grad()
    scaler.scale(main_loss).backward(retain_graph=True)
    aux_loss.backward()
    scaler.step(opt)
    scaler.update()
print(f"main {main_loss.item():.3f} aux {aux_loss.item():.3f}")
