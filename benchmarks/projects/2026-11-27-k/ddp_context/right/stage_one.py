import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from sync import hush


def pretrain(autoencoder, batches, epochs, size):
    replica = DDP(autoencoder)
    opt = torch.optim.Adam(replica.parameters(), lr=2e-3)
    for epoch in range(epochs):
        opt.zero_grad()
        curve = []
        for n, (x, _) in enumerate(batches, start=1):
            closing = n % size == 0 or n == len(batches)
            with hush(replica, not closing):
                loss = torch.nn.functional.mse_loss(replica(x), x)
                (loss / size).backward()
            curve.append(loss.item())
            if closing:
                opt.step()
                opt.zero_grad()
        print(f"stage 1, epoch {epoch}: {sum(curve) / len(curve):.4f}")
    return autoencoder.encoder
