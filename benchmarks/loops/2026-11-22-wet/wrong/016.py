import torch
from torch import nn

from data import train_loader, val_loader
from models import unet

GRAD_ACCUM = 2
EPOCHS = 50

net = unet(in_ch=1, out_ch=4).cuda()
criterion = nn.CrossEntropyLoss(ignore_index=255)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler()

for epoch in range(EPOCHS):
    net.train()
    shown = 0.0
    for idx, (volume, mask) in enumerate(train_loader, 1):
        with torch.autocast("cuda", torch.float16):
            prediction = net(volume.cuda())
            loss = criterion(prediction, mask.cuda())
        scaler.scale(loss).backward()
        shown += loss.item() / GRAD_ACCUM
        if idx % GRAD_ACCUM == 0 or idx == len(train_loader):
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            print(f"\r{epoch} {idx} {shown:.4f}", end="")
            shown = 0.0

    net.eval()
    with torch.no_grad():
        dice = [float((net(v.cuda()).argmax(1).cpu() == m).float().mean()) for v, m in val_loader]
    print(f"\nval {sum(dice) / len(dice):.4f}")
