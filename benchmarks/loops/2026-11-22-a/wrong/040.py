import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


class OCRTrainer:
    def __init__(self, model, loader, charset, epochs=30, max_lr=1e-3, update_every=4):
        self.model = model
        self.loader = loader
        self.charset = charset
        self.epochs = epochs
        self.update_every = update_every
        self.ctc = nn.CTCLoss(zero_infinity=True)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=max_lr)
        updates = epochs * -(-len(loader) // update_every)
        self.scheduler = OneCycleLR(self.optimizer, max_lr=max_lr, total_steps=updates)

    def on_batch_end(self, index, loss):
        if self.scheduler.last_epoch < self.scheduler.total_steps - 1:
            self.scheduler.step()
        if index % 200 == 0:
            print(f"{index} loss {loss:.3f} lr {self.scheduler.get_last_lr()[0]:.2e}")

    def compute(self, batch):
        images, targets, lengths = (t.cuda(non_blocking=True) for t in batch)
        logits = self.model(images).log_softmax(-1)
        sizes = torch.full((logits.size(0),), logits.size(1), dtype=torch.long)
        return self.ctc(logits.transpose(0, 1), targets, sizes, lengths)

    def run(self):
        for epoch in range(self.epochs):
            self.model.train()
            self.optimizer.zero_grad()
            for index, batch in enumerate(self.loader):
                loss = self.compute(batch)
                (loss / self.update_every).backward()
                if (index + 1) % self.update_every == 0 or index + 1 == len(self.loader):
                    nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                self.on_batch_end(index, loss.item())
            torch.save(self.model.state_dict(), f"ocr_{epoch:02d}.pt")
