import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LinearLR, CosineAnnealingLR, SequentialLR


def optimize(loss, optimizer, scheduler, params):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(params, 1.0)
    scheduler.step()
    optimizer.step()
    return norm.item()


def denoise_loss(eps_model, x0):
    t = torch.rand(len(x0), 1)
    noise = torch.randn_like(x0)
    xt = (1 - t).sqrt() * x0 + t.sqrt() * noise
    return F.mse_loss(eps_model(torch.cat([xt, t], 1)), noise)


torch.manual_seed(0)
eps_model = torch.nn.Sequential(torch.nn.Linear(3, 64), torch.nn.SiLU(), torch.nn.Linear(64, 2))
params = list(eps_model.parameters())
optimizer = torch.optim.AdamW(params, lr=2e-3)
scheduler = SequentialLR(
    optimizer,
    [LinearLR(optimizer, 0.1, total_iters=5), CosineAnnealingLR(optimizer, T_max=25)],
    milestones=[5],
)
for step in range(30):
    theta = torch.rand(64) * 6.28
    x0 = torch.stack([theta.cos(), theta.sin()], 1)
    loss = denoise_loss(eps_model, x0)
    optimize(loss, optimizer, scheduler, params)
    if step % 10 == 0:
        print(step, loss.item(), scheduler.get_last_lr())
