import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from recsys import ClickDataset, TwoTower

LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))


def make_loaders(root, batch_size):
    train_set, val_set = ClickDataset(root, "train"), ClickDataset(root, "val")
    sampler = torch.utils.data.DistributedSampler(train_set, shuffle=True, drop_last=True)
    return {
        "train": torch.utils.data.DataLoader(train_set, batch_size, sampler=sampler),
        "val": torch.utils.data.DataLoader(val_set, batch_size),
    }


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(LOCAL_RANK)
    loaders = make_loaders("/data/clicks", 4096)
    model = DistributedDataParallel(TwoTower().cuda(LOCAL_RANK), device_ids=[LOCAL_RANK])
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
    bce = torch.nn.BCEWithLogitsLoss()

    for epoch in range(8):
        model.train()
        for user, item, click in loaders["train"]:
            optimizer.zero_grad(set_to_none=True)
            score = model(user.cuda(LOCAL_RANK), item.cuda(LOCAL_RANK))
            loss = bce(score, click.cuda(LOCAL_RANK))
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.inference_mode():
            val = [bce(model(u.cuda(), i.cuda()), c.cuda()).item() for u, i, c in loaders["val"]]
        if LOCAL_RANK == 0:
            print(epoch, sum(val) / len(val))


main()
