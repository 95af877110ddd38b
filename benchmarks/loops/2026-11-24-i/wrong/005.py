import torch
from torch import nn

torch.manual_seed(5)
dev = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 4)).to(dev)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
scaler = torch.amp.GradScaler(dev)


def norm_of(opt):
    scaler.unscale_(opt)
    grads = [p.grad.norm() for g in opt.param_groups for p in g["params"]]
    return torch.stack(grads).norm()


for step in range(20):
    x = torch.randn(16, 10, device=dev)
    t = torch.randint(0, 4, (16,), device=dev)
    opt.zero_grad(set_to_none=True)
    with torch.autocast(dev, dtype=torch.float16 if dev == "cuda" else torch.bfloat16, enabled=dev == "cuda"):
        loss = nn.functional.cross_entropy(net(x), t)
    scaler.scale(loss).backward()
    before = norm_of(opt)
    try:
        scaler.unscale_(opt)
    except RuntimeError as err:
        print(err)
        break
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    print(step, float(before))
