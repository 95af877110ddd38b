import functools

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def make_update(model, optimizer, pieces, label_smoothing):
    loss_fn = functools.partial(F.cross_entropy, label_smoothing=label_smoothing, reduction="sum")

    def forward_backward(x, y, n):
        loss = loss_fn(model(x), y) / n
        loss.backward()
        return loss.detach()

    def update(images, labels):
        total = images.new_zeros(())
        n = labels.numel()
        for x, y in zip(images.tensor_split(pieces), labels.tensor_split(pieces)):
            total += forward_backward(x, y, n)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return total

    return update


@torch.inference_mode()
def accuracy(model, loader, device):
    model.eval()
    hits = torch.zeros(2, device=device)
    for images, labels in loader:
        logits = model(images.to(device))
        hits[0] += (logits.argmax(1).cpu() == labels).sum()
        hits[1] += labels.numel()
    dist.all_reduce(hits)
    return (hits[0] / hits[1]).item()


def main(net, train_loader, val_loader, *, epochs=90, pieces=4, rank=0):
    device = torch.device("cuda", rank)
    model = DDP(net.to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9, weight_decay=5e-5)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    update = make_update(model, optimizer, pieces, label_smoothing=0.1)
    for epoch in range(epochs):
        train_loader.sampler.set_epoch(epoch)
        model.train()
        for images, labels in train_loader:
            loss = update(images.to(device, non_blocking=True), labels.to(device, non_blocking=True))
        scheduler.step()
        acc = accuracy(model, val_loader, device)
        if rank == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.4f}")
