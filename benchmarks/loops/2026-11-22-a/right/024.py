import contextlib

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from slu.config import load_config
from slu.data import build_batches
from slu.losses import intent_slot_loss
from slu.model import JointModel


def is_distributed():
    return torch.distributed.is_available() and torch.distributed.is_initialized()


@contextlib.contextmanager
def sync_only_if(model, wanted):
    if isinstance(model, DDP) and not wanted:
        with model.no_sync():
            yield
    else:
        yield


def train(path):
    config = load_config(path)
    device = torch.device("cuda", config.local_rank)
    model = JointModel(config.vocab, config.intents, config.slots).to(device)
    if is_distributed():
        model = DDP(model, device_ids=[config.local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
    for epoch in range(config.epochs):
        batches = build_batches(config, epoch)
        model.train()
        for number, (words, intent, slots) in enumerate(batches):
            at_end = (number + 1) % config.accumulate == 0 or number + 1 == len(batches)
            with sync_only_if(model, at_end):
                out = model(words.to(device))
                loss = intent_slot_loss(out, intent.to(device), slots.to(device)) / config.accumulate
                loss.backward()
            if at_end:
                torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
        decay.step()
        if config.local_rank == 0:
            state = model.module if isinstance(model, DDP) else model
            torch.save(state.state_dict(), config.out)


if __name__ == "__main__":
    import sys

    train(sys.argv[1])
