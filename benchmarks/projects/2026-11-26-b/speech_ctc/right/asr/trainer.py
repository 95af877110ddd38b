from functools import partial

import torch
from torch.nn import functional as F

from .amp import LossScaler
from .optim import Window, clip_gradients


class Trainer:
    def __init__(self, model, cfg, steps_per_epoch):
        self.model = model
        self.cfg = cfg
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scaler = LossScaler()
        self.window = Window(cfg.window, steps_per_epoch)
        self.optimizer.zero_grad()

    def ctc(self, batch):
        with torch.autocast("cpu", dtype=getattr(torch, self.cfg.amp_dtype)):
            logits = self.model(batch["feats"])
        log_probs = logits.float().log_softmax(-1).transpose(0, 1)
        return F.ctc_loss(log_probs, batch["texts"], batch["feat_lens"], batch["text_lens"], zero_infinity=True)

    def train_epoch(self, loader):
        self.model.train()
        running = 0.0
        for index, batch in enumerate(loader):
            loss = self.ctc(batch)
            self.scaler.backward(loss / self.cfg.window)
            running += loss.item()
            if self.window.closes(index):
                self.scaler(self.optimizer, clip=partial(clip_gradients, self.model, self.cfg.max_norm))
                self.optimizer.zero_grad()
        return running / len(loader)

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        return sum(self.ctc(batch).item() for batch in loader) / len(loader)
