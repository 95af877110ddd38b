import torch
from torch import nn

torch.manual_seed(51)
use_amp = torch.cuda.is_available()
device = "cuda" if use_amp else "cpu"


def grad_norm(scaler, opt, params):
    scaler.unscale_(opt)
    return torch.stack([p.grad.norm() for p in params if p.grad is not None]).norm().item()


def apply_update(scaler, opt, params, limit):
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(params, limit)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)


net = nn.Sequential(nn.Linear(15, 30), nn.GELU(), nn.Linear(30, 15)).to(device)
params = list(net.parameters())
opt = torch.optim.AdamW(params, lr=2e-3)
scaler = torch.amp.GradScaler(device, enabled=use_amp)
for step in range(8):
    x = torch.randn(10, 15, device=device)
    with torch.autocast(device, dtype=torch.float16, enabled=use_amp):
        loss = nn.functional.mse_loss(net(x + 0.1 * torch.randn_like(x)), x)
    scaler.scale(loss).backward()
    norm = grad_norm(scaler, opt, params)
    apply_update(scaler, opt, params, limit=1.0)
    print(f"{step:2d} loss {loss.item():.4f} norm {norm:.3f}")
