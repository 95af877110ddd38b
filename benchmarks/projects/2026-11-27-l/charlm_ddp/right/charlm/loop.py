import torch.nn.functional as F

from .comms import SyncGate


def pretrain(replica, loader, optimizer, epochs, accum):
    gate = SyncGate(replica, accum, len(loader))
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        replica.train()
        total = 0.0
        optimizer.zero_grad(set_to_none=True)
        for i, (ids, targets) in enumerate(loader):
            with gate(i):
                logits = replica(ids)
                loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
                (loss / accum).backward()
            total += loss.item()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
        print(f"epoch {epoch}: {total / len(loader):.4f}")
