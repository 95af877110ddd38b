import contextlib

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from matching.data import pair_loader
from matching.nets import ImageTower, TextTower


def clip_loss(img, txt, scale):
    logits = scale * img @ txt.t()
    target = torch.arange(len(img), device=img.device)
    ce = torch.nn.functional.cross_entropy
    return 0.5 * (ce(logits, target) + ce(logits.t(), target))


def worker(rank: int, world: int, hp: dict) -> None:
    dist.init_process_group("nccl", rank=rank, world_size=world)
    torch.cuda.set_device(rank)
    image_net = DistributedDataParallel(ImageTower(hp["dim"]).cuda(), device_ids=[rank])
    text_net = DistributedDataParallel(TextTower(hp["dim"]).cuda(), device_ids=[rank])
    params = [*image_net.parameters(), *text_net.parameters()]
    optimizer = torch.optim.AdamW(params, lr=hp["lr"], weight_decay=0.2)
    batches = iter(pair_loader(hp["shards"], hp["batch"], rank, world))

    for update in range(hp["updates"]):
        optimizer.zero_grad()
        for j in range(hp["accumulate"]):
            last = j == hp["accumulate"] - 1
            images, tokens = next(batches)
            with contextlib.nullcontext() if last else image_net.no_sync():
                img = torch.nn.functional.normalize(image_net(images.cuda()), dim=-1)
                txt = torch.nn.functional.normalize(text_net(tokens.cuda()), dim=-1)
                loss = clip_loss(img, txt, hp["scale"]) / hp["accumulate"]
                loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        if rank == 0 and update % 100 == 0:
            print(update, loss.item() * hp["accumulate"])
    dist.destroy_process_group()


if __name__ == "__main__":
    hp = {"dim": 512, "lr": 5e-4, "shards": "cc3m/{0000..0331}.tar", "batch": 128, "updates": 50_000,
          "accumulate": 4, "scale": 50.0}
    torch.multiprocessing.spawn(worker, args=(torch.cuda.device_count(), hp), nprocs=torch.cuda.device_count())
