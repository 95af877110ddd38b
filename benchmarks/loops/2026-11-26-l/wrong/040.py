import torch
from torch import nn


def run_epoch(model, opt, scaler, batches, window):
    total = 0.0
    for n, (a, p, neg) in enumerate(batches, 1):
        loss = nn.functional.triplet_margin_loss(model(a), model(p), model(neg))
        scaler.scale(loss / window).backward()
        total += loss.item()
        if n % window:
            continue
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
    return total / len(batches)


def main():
    torch.manual_seed(100)
    triplets = []
    for _ in range(11):
        a = torch.randn(6, 10)
        triplets.append((a, a + 0.1 * torch.randn(6, 10), torch.randn(6, 10)))
    net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    for epoch in range(3):
        print(epoch, run_epoch(net, opt, scaler, triplets, window=4))


main()
