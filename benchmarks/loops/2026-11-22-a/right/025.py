import os
from contextlib import ExitStack

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

from mm.batches import interleaved
from mm.nets import LanguageModel, VisualAdapter


def main(updates=10_000, accumulate=16):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    adapter = DDP(VisualAdapter().cuda(), device_ids=[rank])
    lm = DDP(LanguageModel.from_pretrained("lm-1b").cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(
        [{"params": adapter.parameters(), "lr": 1e-4}, {"params": lm.parameters(), "lr": 1e-5}], weight_decay=0.01
    )
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, 1.0, total_iters=300)
    batches = iter(interleaved("obelics/*.tar", dist.get_rank(), dist.get_world_size()))
    adapter.train()
    lm.train()

    for update in range(updates):
        running = 0.0
        for k in range(accumulate):
            image, ids, labels = (t.cuda(non_blocking=True) for t in next(batches))
            with ExitStack() as stack:
                if k < accumulate - 1:
                    stack.enter_context(adapter.no_sync())
                    stack.enter_context(lm.no_sync())
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    logits = lm(ids, prefix=adapter(image))
                    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
                (loss / accumulate).backward()
            running += loss.item()
        optimizer.step()
        warm.step()
        optimizer.zero_grad()
        if rank == 0 and update % 20 == 0:
            print(f"{update} {running / accumulate:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
