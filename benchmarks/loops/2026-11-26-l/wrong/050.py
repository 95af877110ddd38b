import torch
from torch import nn

torch.manual_seed(0)
image = torch.rand(1, 3, 16, 16)
style = torch.rand(1, 3, 16, 16)
feat = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1))
feat.requires_grad_(False)


def gram(t):
    f = t.flatten(2)
    return f @ f.transpose(1, 2) / f.shape[-1]


canvas = nn.Parameter(image.clone())
opt = torch.optim.Adam([canvas], lr=0.05)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=10, gamma=0.3)
with torch.no_grad():
    content_ref, style_ref = feat(image), gram(feat(style))
for it in range(40):
    opt.zero_grad()
    f = feat(canvas)
    loss = nn.functional.mse_loss(f, content_ref) + 100 * nn.functional.mse_loss(gram(f), style_ref)
    loss.backward()
    opt.step()
    sched.step
    if it % 10 == 9:
        print(it + 1, loss.item(), opt.param_groups[0]["lr"])
