import functools
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from transformers import T5ForConditionalGeneration, T5Tokenizer
from transformers.models.t5.modeling_t5 import T5Block

from wikihow import WikiHow


def train(model, rank, loader, optimizer, epoch, sampler):
    sampler.set_epoch(epoch)
    model.train()
    totals = torch.zeros(2, device=rank)
    for batch in loader:
        batch = {k: v.to(rank) for k, v in batch.items()}
        optimizer.zero_grad()
        output = model(input_ids=batch["source_ids"], attention_mask=batch["source_mask"], labels=batch["target_ids"])
        output.loss.backward()
        model.clip_grad_norm_(1.0)
        optimizer.step()
        totals[0] += output.loss.item()
        totals[1] += 1
    dist.all_reduce(totals)
    return (totals[0] / totals[1]).item()


def main(name="t5-3b", epochs=2, batch_size=4):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    data = WikiHow(T5Tokenizer.from_pretrained(name), "train")
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=batch_size, sampler=sampler, num_workers=2, pin_memory=True)
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={T5Block})
    bf16 = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16, buffer_dtype=torch.bfloat16)
    model = T5ForConditionalGeneration.from_pretrained(name)
    model = FSDP(model, auto_wrap_policy=policy, mixed_precision=bf16, device_id=rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    for epoch in range(1, epochs + 1):
        loss = train(model, rank, loader, optimizer, epoch, sampler)
        scheduler.step()
        if rank == 0:
            print(f"epoch {epoch} loss {loss:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
