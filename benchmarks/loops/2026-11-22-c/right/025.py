import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def with_last(iterable):
    it = iter(iterable)
    try:
        current = next(it)
    except StopIteration:
        return
    for following in it:
        yield False, current
        current = following
    yield True, current


def train_epoch(ddp: DDP, optimizer, loader, criterion, accum, device):
    ddp.train()
    micro = 0
    for is_last, (audio, label) in with_last(loader):
        micro += 1
        boundary = is_last or micro == accum
        ddp.require_backward_grad_sync = boundary
        loss = criterion(ddp(audio.to(device)), label.to(device))
        (loss / accum).backward()
        if boundary:
            nn.utils.clip_grad_norm_(ddp.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            micro = 0
    return loss.item()


def fit(net, loader, sampler, epochs=10, accum=4, device="cuda:0"):
    ddp = DDP(net.to(device))
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        print(epoch, train_epoch(ddp, optimizer, loader, criterion, accum, device))
