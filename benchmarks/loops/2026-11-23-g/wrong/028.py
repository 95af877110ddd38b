"""Wave-form denoiser: fp16 autocast, gradient accumulation, cosine schedule per update."""
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR

ITERS_TO_ACCUMULATE = 3
MAX_NORM = 0.5


def noisy_pairs(count, length=32):
    for _ in range(count):
        f = torch.rand(6, 1) * 4 + 1
        clean = torch.sin(f * torch.linspace(0, 6.28, length))
        yield clean + 0.3 * torch.randn_like(clean), clean


def create(length=32):
    net = nn.Sequential(nn.Linear(length, 40), nn.ReLU(), nn.Linear(40, length))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    return net, opt, CosineAnnealingLR(opt, T_max=10), torch.amp.GradScaler("cpu", init_scale=64.0)


def finish_window(net, opt, sched, scaler):
    nn.utils.clip_grad_norm_(net.parameters(), MAX_NORM)
    scaler.unscale_(opt)
    scaler.step(opt)
    scaler.update()
    sched.step()
    opt.zero_grad(set_to_none=True)


def main(epochs=2, per_epoch=13):
    torch.manual_seed(40)
    net, opt, sched, scaler = create()
    net.train()
    opt.zero_grad(set_to_none=True)
    for epoch in range(epochs):
        left, seen = ITERS_TO_ACCUMULATE, 0.0
        for noisy, clean in noisy_pairs(per_epoch):
            with torch.autocast(device_type="cpu", dtype=torch.float16):
                pred = net(noisy)
                loss = nn.functional.mse_loss(pred, clean)
            scaler.scale(loss).backward()
            seen += loss.item()
            left -= 1
            if left == 0:
                finish_window(net, opt, sched, scaler)
                left = ITERS_TO_ACCUMULATE
        if left < ITERS_TO_ACCUMULATE:
            finish_window(net, opt, sched, scaler)
        print(f"epoch {epoch}: mse {seen / per_epoch:.4f}, lr {sched.get_last_lr()[0]:.4f}")


main()
