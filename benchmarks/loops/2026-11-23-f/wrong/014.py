import torch
from torch import nn

torch.manual_seed(4)
trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
main_head, aux_head = nn.Linear(16, 3), nn.Linear(16, 1)
params = [*trunk.parameters(), *main_head.parameters(), *aux_head.parameters()]
optimizer = torch.optim.SGD(params, lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 12)

for step in range(24):
    x = torch.randn(16, 8)
    cls, reg = x[:, :3].argmax(1), x[:, 3:4]
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        h = trunk(x)
        loss_cls = nn.functional.cross_entropy(main_head(h), cls)
        loss_reg = nn.functional.mse_loss(aux_head(h).float(), reg)
    scaler.scale(loss_cls).backward(retain_graph=True)
    loss_reg.backward()
    scaler.step(optimizer)
    scaler.update()
    if step % 8 == 0:
        print(step, loss_cls.item(), loss_reg.item())
