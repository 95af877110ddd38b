import logging

import torch
from torch import nn

logger = logging.getLogger("kws")


class KeywordSpotter:
    def __init__(self, net, optimizer, scheduler=None, max_bad=20):
        self.net = net
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.criterion = nn.CTCLoss(zero_infinity=False)
        self.max_bad = max_bad
        self.bad = 0

    def step(self, features, feature_lengths, words, word_lengths):
        self.optimizer.zero_grad(set_to_none=True)
        log_probs = self.net(features).log_softmax(-1).transpose(0, 1)
        loss = self.criterion(log_probs, words, feature_lengths, word_lengths)
        if not torch.isfinite(loss):
            self.bad += 1
            logger.warning("loss is %s, batch left out (%d)", loss.item(), self.bad)
            if self.bad > self.max_bad:
                raise RuntimeError("too many batches without a finite loss")
            return None
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        if torch.isfinite(norm):
            self.optimizer.step()
            if self.scheduler is not None:
                self.scheduler.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.net.train()
            losses = [v for v in (self.step(*batch) for batch in loader) if v is not None]
            logger.info("epoch %d mean loss %.4f", epoch, sum(losses) / max(1, len(losses)))
