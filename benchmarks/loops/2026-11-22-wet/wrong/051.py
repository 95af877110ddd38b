import torch


class Pretrainer:
    def __init__(self, encoder, head, corpus, *, lr=1e-4, steps=100_000):
        self.encoder, self.head, self.corpus = encoder, head, corpus
        self.steps = steps
        params = list(encoder.parameters()) + list(head.parameters())
        self.params = params
        self.optimizer = torch.optim.AdamW(params, lr=lr)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, max_lr=lr, total_steps=steps)

    def masked_batches(self):
        while True:
            for ids in self.corpus:
                mask = torch.rand(ids.shape) < 0.15
                yield ids.masked_fill(mask, 103), ids, mask

    def run(self):
        self.encoder.train()
        self.head.train()
        for step, (corrupted, ids, mask) in enumerate(self.masked_batches()):
            if step == self.steps:
                break
            hidden = self.encoder(corrupted)[mask]
            loss = torch.nn.functional.cross_entropy(self.head(hidden), ids[mask])
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.params, 1.0)
            self.optimizer.step()
            self.scheduler.step
            if step % 1000 == 0:
                print(step, loss.item(), self.scheduler.get_last_lr())
