from collections import deque

import torch
from torch import nn


class SpeakerTrainer:
    """Trains a speaker encoder with AAM-softmax; batches come from an endless sampler."""

    def __init__(self, encoder, head, batches, lr=1e-3, effective_batch=512, batch_size=64):
        self.encoder = encoder
        self.head = head
        self.batches = batches
        self.accumulate = effective_batch // batch_size
        params = list(encoder.parameters()) + list(head.parameters())
        self.optimizer = torch.optim.SGD(params, lr=lr, momentum=0.9, weight_decay=1e-4)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.micro = 0
        self.updates = 0
        self.history = deque(maxlen=100)

    def _backward(self, features, speakers):
        embedding = self.encoder(features)
        loss = self.criterion(self.head(embedding, speakers), speakers)
        loss.backward()
        self.history.append(loss.item())
        self.micro += 1

    def _maybe_update(self):
        if self.micro < self.accumulate:
            return False
        nn.utils.clip_grad_norm_(self.encoder.parameters(), 5.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.micro = 0
        self.updates += 1
        return True

    def train(self, max_updates):
        self.encoder.train()
        self.head.train()
        while self.updates < max_updates:
            features, speakers = next(self.batches)
            self._backward(features.cuda(), speakers.cuda())
            if self._maybe_update() and self.updates % 50 == 0:
                print(self.updates, sum(self.history) / len(self.history))
