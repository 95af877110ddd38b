import torch
import torch.nn.functional as F

from common import *


def nt_xent(a, b, temperature):
    z = F.normalize(torch.cat([a, b]).float(), dim=1)
    sim = z @ z.T / temperature
    sim.fill_diagonal_(-1e4)
    n = len(a)
    target = torch.arange(2 * n, device=z.device).roll(n)
    return F.cross_entropy(sim, target)


def train_one_epoch(model, loader, optimizer, scaler, args, device):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    total = 0.0
    for i, (a, b) in enumerate(loader):
        views = torch.cat([a, b]).to(device)
        last = (i + 1) % args.accum == 0 or i + 1 == len(loader)
        with micro_step(model, last):
            with torch.autocast(device.type, dtype=torch.float16, enabled=args.half):
                za, zb = model(views).chunk(2)
            loss = nt_xent(za, zb, args.temperature)
            scaled_backward(loss / args.accum, scaler)
        total += loss.item()
        if last:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            apply_gradients(optimizer, scaler)
    return total / len(loader)


@torch.no_grad()
def knn_accuracy(model, x, y, device, k=3):
    model.eval()
    h = F.normalize(model.module.encoder(x.to(device)), dim=1).cpu()
    sim = h @ h.T
    sim.fill_diagonal_(-2.0)
    votes = y[sim.topk(k, dim=1).indices]
    return (votes.mode(1).values == y).float().mean().item()
