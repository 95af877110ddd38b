import torch
from torch import nn
from torch.amp import GradScaler, autocast

from mt.data import bucketed_batches
from mt.model import TransformerNMT


class TokenWindow:
    def __init__(self, target_tokens: int):
        self.target = target_tokens
        self.tokens = 0

    def add(self, n: int) -> None:
        self.tokens += n

    @property
    def full(self) -> bool:
        return self.tokens >= self.target

    def take(self) -> int:
        n, self.tokens = self.tokens, 0
        return n


class MTTrainer:
    def __init__(self, vocab: int, pad: int, tokens_per_update: int = 25_000, max_norm: float = 1.0):
        self.model = TransformerNMT(vocab).cuda()
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad, label_smoothing=0.1, reduction="sum")
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=7e-4, betas=(0.9, 0.98), eps=1e-9)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda n: min((n + 1) / 4000, (4000 / (n + 1)) ** 0.5)
        )
        self.scaler = GradScaler("cuda", init_scale=128.0)
        self.window = TokenWindow(tokens_per_update)
        self.pad = pad
        self.max_norm = max_norm

    def accumulate(self, src, tgt):
        with autocast("cuda", dtype=torch.float16):
            logits = self.model(src, tgt[:, :-1])
            loss = self.criterion(logits.flatten(0, 1), tgt[:, 1:].flatten())
        self.scaler.scale(loss).backward()
        self.window.add(int(tgt[:, 1:].ne(self.pad).sum()))
        return loss.item()

    def update(self):
        n = self.window.take()
        self.scaler.unscale_(self.optimizer)
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.div_(n)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()
        self.optimizer.zero_grad()
        return n, norm

    def train(self, path, updates):
        self.model.train()
        done, nll = 0, 0.0
        for src, tgt in bucketed_batches(path, endless=True):
            nll += self.accumulate(src.cuda(), tgt.cuda())
            if not self.window.full:
                continue
            tokens, norm = self.update()
            done += 1
            if done % 50 == 0:
                print(f"{done} nll {nll / tokens:.3f} norm {float(norm):.2f}")
            nll = 0.0
            if done == updates:
                break
