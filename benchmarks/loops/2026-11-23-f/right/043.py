import torch
from torch import nn

ACC = 2
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)


def global_norm(parameters):
    return torch.stack([p.grad.norm() for p in parameters if p.grad is not None]).norm().item()


for update in range(15):
    for _ in range(ACC):
        x = torch.randn(16, 6)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(x), x[:, :3].argmax(1)) / ACC
        scaler.scale(loss).backward()
    scaler.unscale_(opt)
    if update % 5 == 0:
        print(update, loss.item() * ACC, global_norm(net.parameters()))
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
