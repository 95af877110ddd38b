import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from ads.data import ClickLog
from ads.model import DLRM


@torch.no_grad()
def logloss(model, loader, device):
    model.eval()
    total, n = torch.zeros((), device=device), 0
    for dense, sparse, label in loader:
        logit = model(dense.to(device), sparse.to(device))
        total += F.binary_cross_entropy_with_logits(logit, label.to(device), reduction="sum")
        n += len(label)
    dist.all_reduce(total)
    model.train()
    return total.item() / (n * dist.get_world_size())


def main(root="criteo", batch=8192, eval_every=10_000):
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    train, test = ClickLog(root, days=range(23)), ClickLog(root, days=[23])
    train_loader = DataLoader(train, batch, sampler=DistributedSampler(train), num_workers=12)
    test_loader = DataLoader(test, 4 * batch, sampler=DistributedSampler(test, shuffle=False), num_workers=4)
    model = DDP(DLRM(dim=128).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
    model.train()
    for step, (dense, sparse, label) in enumerate(train_loader, 1):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(dense.to(device), sparse.to(device)), label.to(device))
        loss.backward()
        optimizer.step()
        if step % eval_every == 0:
            value = logloss(model, test_loader, device)
            if dist.get_rank() == 0:
                print(f"{step} train {loss.item():.5f} test {value:.5f}")


if __name__ == "__main__":
    main()
