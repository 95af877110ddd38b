from contextlib import nullcontext

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader

from retrieval.data import Triplets
from retrieval.model import BiEncoder


def triplet(anchor, positive, negative, margin=0.2):
    pos = (anchor - positive).pow(2).sum(-1)
    neg = (anchor - negative).pow(2).sum(-1)
    return torch.relu(pos - neg + margin).mean()


def main():
    accelerator = Accelerator()
    model = BiEncoder("microsoft/mpnet-base")
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    loader = DataLoader(Triplets("msmarco.jsonl"), batch_size=24, shuffle=True, drop_last=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    window = 8

    for epoch in range(2):
        model.train()
        for step, (q, pos, neg) in enumerate(loader):
            is_update = (step + 1) % window == 0 or step + 1 == len(loader)
            with nullcontext() if is_update else accelerator.no_sync(model):
                loss = triplet(model(q), model(pos), model(neg))
                accelerator.backward(loss)
            if is_update:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            if step % 200 == 0:
                accelerator.print(epoch, step, accelerator.gather(loss.detach()).mean().item())
    if accelerator.is_main_process:
        torch.save(accelerator.unwrap_model(model).state_dict(), "biencoder.pt")


if __name__ == "__main__":
    main()
