import torch
import torch.nn.functional as F
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv1d(1, 4, 3, padding=1), nn.Conv1d(4, 4, 3, padding=1)
        self.requires_grad_(False)

    def forward(self, x):
        one = torch.relu(self.a(x))
        return one, torch.relu(self.b(one))


def gram(f):
    return f @ f.transpose(1, 2) / f[0].numel()


def transfer(content, style, outer=5, style_weight=50.0):
    net = Features().eval()
    target_content = net(content)[1]
    target_style = [gram(f) for f in net(style)]
    canvas = content.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([canvas], lr=0.5, max_iter=4)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    calls = []

    def closure():
        optimizer.zero_grad()
        feats = net(canvas)
        c = F.mse_loss(feats[1], target_content)
        s = sum(F.mse_loss(gram(f), g) for f, g in zip(feats, target_style))
        loss = c + style_weight * s
        loss.backward()
        nn.utils.clip_grad_norm_([canvas], 10.0)
        calls.append(loss.item())
        return loss

    for i in range(outer):
        optimizer.step(closure)
        scheduler.step()
        with torch.no_grad():
            canvas.clamp_(-3, 3)
        print(i, calls[-1])
    return canvas.detach()


torch.manual_seed(0)
transfer(torch.randn(1, 1, 24), torch.sin(torch.linspace(0, 12, 24)).view(1, 1, -1))
