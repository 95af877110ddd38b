import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(12, 24), nn.ReLU())
cls_head, reg_head = nn.Linear(24, 3), nn.Linear(24, 1)
everything = nn.ModuleList([body, cls_head, reg_head])
opt = torch.optim.Adam(everything.parameters(), lr=3e-3)
for it in range(12):
    x = torch.randn(16, 12)
    y_cls = x[:, :3].argmax(1)
    y_reg = x.norm(dim=1, keepdim=True)
    feats = body(x)
    cls_loss = F.cross_entropy(cls_head(feats), y_cls)
    reg_loss = F.smooth_l1_loss(reg_head(feats), y_reg)
    cls_loss.backward(retain_graph=True)
    (0.5 * reg_loss).backward()
    opt.step()
    for p in everything.parameters():
        p.grad = None
    if it % 4 == 0:
        print(it, cls_loss.item(), reg_loss.item())
