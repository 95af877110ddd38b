import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def make_batches(n=6):
    return [(torch.randn(8, 3, 12, 12), torch.randint(0, 5, (8,))) for _ in range(n)]


net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

for epoch in range(2):
    for images, labels in make_batches():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.float16):
            logits = net(images)
            loss = F.cross_entropy(logits, labels)
        scaler.scale(loss).backward()
        grad_norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=5.0)
        scaler.step(optimizer)
        scaler.update()
    print(epoch, loss.item(), float(grad_norm))
