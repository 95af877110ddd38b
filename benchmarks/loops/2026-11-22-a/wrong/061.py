import torch
from torch import nn
from torch.cuda.amp import GradScaler
from torch.nn.parallel import DistributedDataParallel


class TranslationTrainer:
    def __init__(self, model, criterion, iterator, args):
        self.args = args
        self.model = DistributedDataParallel(model.to(args.gpu), device_ids=[args.gpu])
        self.criterion = criterion
        self.iterator = iterator
        self.optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))
        self.scaler = GradScaler()
        self.num_updates = 0

    def forward(self, sample):
        with torch.cuda.amp.autocast():
            logits = self.model(sample["src"], sample["prev"])
            return self.criterion(logits.flatten(0, 1), sample["target"].flatten())

    def train_step(self, samples):
        self.model.train()
        self.optimizer.zero_grad()
        shown = 0.0
        for i, sample in enumerate(samples):
            sample = {k: v.cuda(self.args.gpu) for k, v in sample.items()}
            loss = self.forward(sample) / len(samples)
            if i < len(samples) - 1:
                with self.model.no_sync():
                    self.scaler.scale(loss).backward()
            else:
                self.scaler.scale(loss).backward()
            shown += loss.item()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.num_updates += 1
        return shown

    def train(self):
        while self.num_updates < self.args.max_update:
            samples = [next(self.iterator) for _ in range(self.args.update_freq)]
            loss = self.train_step(samples)
            if self.num_updates % 100 == 0 and self.args.gpu == 0:
                print(self.num_updates, loss)
