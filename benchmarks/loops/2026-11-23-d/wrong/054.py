import os

import torch
from data import build_loader
from models import Net
from torch.cuda.amp import GradScaler, autocast

PATH = "checkpoint.pt"
net = Net().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
scaler = GradScaler()
first = 0
if os.path.exists(PATH):
    state = torch.load(PATH)
    net.load_state_dict(state["net"])
    opt.load_state_dict(state["opt"])
    scaler.load_state_dict(state["scaler"])
    first = state["epoch"] + 1

for epoch in range(first, 3):
    for x, y in build_loader("train"):
        opt.zero_grad(set_to_none=True)
        with autocast(dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    state = {"net": net.state_dict(), "opt": opt.state_dict(), "scaler": scaler.state_dict(), "epoch": epoch}
    torch.save(state, PATH)
    print("epoch", epoch, "saved", loss.item())
