import torch
from torch import nn

torch.manual_seed(120)


def prepare_grads(scaler, optimizer, limit):
    scaler.unscale_(optimizer)
    params = [p for g in optimizer.param_groups for p in g["params"]]
    return nn.utils.clip_grad_norm_(params, limit)


user, item = nn.Embedding(40, 8), nn.Embedding(60, 8)
bias = nn.Linear(16, 1)
emb_opt = torch.optim.Adagrad([*user.parameters(), *item.parameters()], lr=0.1)
net_opt = torch.optim.SGD(bias.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)

for step in range(10):
    u, i = torch.randint(0, 40, (32,)), torch.randint(0, 60, (32,))
    clicked = ((u + i) % 3 == 0).float()
    eu, ei = user(u), item(i)
    with torch.autocast("cpu", dtype=torch.float16):
        b = bias(torch.cat([eu, ei], 1)).squeeze(1)
    loss = nn.functional.binary_cross_entropy_with_logits((eu * ei).sum(1) + b.float(), clicked)
    emb_opt.zero_grad()
    net_opt.zero_grad()
    scaler.scale(loss).backward()
    norms = [prepare_grads(scaler, o, 1.0).item() for o in (emb_opt, net_opt)]
    scaler.step(emb_opt)
    scaler.step(net_opt)
    scaler.update()
    if step % 3 == 0:
        print(step, round(loss.item(), 4), [round(n, 4) for n in norms])
