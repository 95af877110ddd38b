import torch
from torch import nn


def train_step(net, opt, scaler, x, y):
    opt.zero_grad(set_to_none=True)
    with torch.autocast(device_type="cpu"):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    return loss.item(), norm.item()


def main():
    net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler("cpu")
    for i in range(15):
        x = torch.randn(18, 6)
        l, n = train_step(net, opt, scaler, x, x[:, :3].argmax(1))
        if i % 5 == 0:
            print(i, l, n)


if __name__ == "__main__":
    main()
