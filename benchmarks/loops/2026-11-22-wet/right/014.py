import torch
from torch.cuda.amp import GradScaler, autocast
from tqdm import tqdm

from efficientnet import efficientnet_b0
from pets import train_loader, val_loader

EPOCHS = 12
net = efficientnet_b0(num_classes=37).cuda()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3, momentum=0.9)
one_cycle = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=4e-3, total_steps=EPOCHS * len(train_loader))
scaler = GradScaler()
lossf = torch.nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    net.train()
    for step, (img, lab) in enumerate(bar := tqdm(train_loader)):
        opt.zero_grad()
        with autocast():
            loss = lossf(net(img.cuda()), lab.cuda())
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        scaler.step(opt)
        scaler.update()
        one_cycle.step()
        if step % 4 == 0:
            bar.set_description(f"{epoch} {loss.item():.3f}")

    net.eval()
    hit = 0
    with torch.inference_mode():
        for img, lab in val_loader:
            hit += (net(img.cuda()).argmax(1) == lab.cuda()).sum().item()
    print(f"epoch {epoch} top-1 {hit / len(val_loader.dataset):.4f}")
