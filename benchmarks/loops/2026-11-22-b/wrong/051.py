import contextlib

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Trainer:
    """Updates the model with one group of samples at a time."""

    def __init__(self, cfg, model, criterion):
        self.cfg = cfg
        self.criterion = criterion
        self._model = model.cuda()
        self._params = [p for p in self._model.parameters() if p.requires_grad]
        self._optimizer = torch.optim.Adam(self._params, lr=cfg.lr[0], betas=cfg.adam_betas)
        self._scaler = GradScaler("cuda", init_scale=cfg.fp16_init_scale)
        self._num_updates = 0

    def forward_context(self, last):
        stack = contextlib.ExitStack()
        if not last and hasattr(self._model, "no_sync"):
            stack.enter_context(self._model.no_sync())
        return stack

    def train_step(self, samples):
        self._model.train()
        self._optimizer.zero_grad()
        ntokens = sum(s["ntokens"] for s in samples)
        logging_loss = 0.0
        for i, sample in enumerate(samples):
            with self.forward_context(i == len(samples) - 1):
                with autocast("cuda", dtype=torch.float16):
                    loss = self.criterion(self._model, sample, reduction="sum") / ntokens
                self.backward(loss)
            logging_loss += loss.item()
        grad_norm = self.clip_grad_norm(self.cfg.clip_norm)
        self.step()
        return {"loss": logging_loss, "gnorm": grad_norm}

    def backward(self, loss):
        self._scaler.scale(loss).backward()

    def clip_grad_norm(self, clip_norm):
        if clip_norm <= 0:
            return 0.0
        return nn.utils.clip_grad_norm_(self._params, clip_norm).item()

    def step(self):
        self._scaler.step(self._optimizer)
        self._scaler.update()
        self._num_updates += 1


def train_epoch(trainer, epoch_itr, update_freq):
    group = []
    for sample in epoch_itr:
        group.append(sample)
        if len(group) == update_freq:
            print(trainer.train_step(group))
            group = []
    if group:
        print(trainer.train_step(group))
