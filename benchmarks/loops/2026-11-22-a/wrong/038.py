import functools
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from prefs import PreferencePairs, collate


def setup():
    dist.init_process_group(backend="nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    return rank


def train_reward(name, path, micro=4, pairs_per_update=64, lr=9e-6):
    rank = setup()
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=1).cuda()
    model = DDP(model, device_ids=[rank])
    data = PreferencePairs(path)
    loader = DataLoader(
        data, batch_size=pairs_per_update, sampler=DistributedSampler(data), drop_last=True,
        collate_fn=functools.partial(collate, tokenizer=tokenizer),
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(loader))
    chunks = pairs_per_update // micro
    model.train()
    for update, batch in enumerate(loader):
        optimizer.zero_grad()
        logged = 0.0
        for ids, mask in zip(batch["input_ids"].split(2 * micro), batch["attention_mask"].split(2 * micro)):
            reward = model(input_ids=ids.cuda(), attention_mask=mask.cuda()).logits.squeeze(-1)
            chosen, rejected = reward[0::2], reward[1::2]
            loss = -F.logsigmoid(chosen - rejected).mean() / chunks
            loss.backward()
            logged += loss.item()
        optimizer.step()
        scheduler.step()
        if rank == 0:
            print(f"{update} loss {logged:.4f} lr {scheduler.get_last_lr()[0]:.2e}")
    if rank == 0:
        model.module.save_pretrained("reward-model")
    dist.destroy_process_group()


if __name__ == "__main__":
    train_reward("EleutherAI/pythia-1.4b", "hh.jsonl")
