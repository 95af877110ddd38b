import os
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel


@contextmanager
def distributed():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29611")
    dist.init_process_group("gloo", rank=int(os.getenv("RANK", "0")), world_size=int(os.getenv("WORLD_SIZE", "1")))
    try:
        yield dist.get_rank()
    finally:
        dist.destroy_process_group()


class TinyTransformer(nn.Module):
    def __init__(self, vocab=50, d=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.block = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
        self.lm = nn.Linear(d, vocab)

    def forward(self, toks):
        mask = nn.Transformer.generate_square_subsequent_mask(toks.size(1))
        return self.lm(self.block(self.embed(toks), src_mask=mask))


class PretrainLoop:
    def __init__(self, model, grad_acc, max_steps):
        self.model = model
        self.grad_acc = grad_acc
        self.max_steps = max_steps
        self.optimizer = optim.AdamW(model.parameters(), lr=1e-3)
        self.sched = optim.lr_scheduler.CosineAnnealingLR(self.optimizer, max_steps)
        self.criterion = nn.CrossEntropyLoss()

    def next_batch(self):
        return torch.randint(0, 50, (4, 9))

    def training_step(self):
        acc_loss = 0.0
        for _ in range(self.grad_acc):
            toks = self.next_batch()
            logits = self.model(toks[:, :-1])
            loss = self.criterion(logits.transpose(1, 2), toks[:, 1:]) / self.grad_acc
            loss.backward()
            acc_loss += loss.item()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.sched.step()
        self.optimizer.zero_grad(set_to_none=True)
        return acc_loss

    def run(self, rank):
        self.model.train()
        for s in range(self.max_steps):
            l = self.training_step()
            if rank == 0 and s % 2 == 0:
                print(f"step {s} loss {l:.3f}")


if __name__ == "__main__":
    with distributed() as rank:
        torch.manual_seed(100 + rank)
        PretrainLoop(DistributedDataParallel(TinyTransformer()), grad_acc=4, max_steps=6).run(rank)
