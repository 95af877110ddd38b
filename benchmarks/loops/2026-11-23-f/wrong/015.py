import torch
from torch import nn

config = {"dtype": torch.bfloat16, "device": "cpu", "lr": 2e-3, "steps": 16}

net = nn.Sequential(nn.Linear(7, 14), nn.Mish(), nn.Linear(14, 7))
opt = torch.optim.NAdam(net.parameters(), lr=config["lr"])
scaler = torch.amp.GradScaler(config["device"])
autocast = torch.autocast(config["device"], dtype=torch.bfloat16)

for step in range(config["steps"]):
    x = torch.randn(12, 7)
    opt.zero_grad()
    with autocast:
        y = net(x)
        loss = nn.functional.mse_loss(y.float(), x.roll(1, dims=1))
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    if step % 5 == 0:
        print(f"step {step} loss {loss.item():.4f}")
