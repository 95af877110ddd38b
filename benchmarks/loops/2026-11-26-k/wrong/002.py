import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Translator(nn.Module):
    def __init__(self, vocab=40, dim=24):
        super().__init__()
        self.src = nn.Embedding(vocab, dim)
        self.tgt = nn.Embedding(vocab, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        _, h = self.enc(self.src(src))
        y, _ = self.dec(self.tgt(tgt), h)
        return self.out(y)


class Seq2SeqTrainer:
    clip = 1.0

    def __init__(self, model):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.optim, 0.99)

    def update(self, src, tgt):
        self.model.train()
        logits = self.model(src, tgt[:, :-1])
        loss = nn.functional.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        self.optim.zero_grad(set_to_none=True)
        loss.backward()
        self.optim.step()
        self.sched.step()
        norm = clip_grad_norm_(self.model.parameters(), self.clip)
        return loss.item(), norm.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Seq2SeqTrainer(Translator())
    for it in range(25):
        src = torch.randint(0, 40, (8, 10))
        loss, norm = trainer.update(src, src.flip(1))
        if it % 5 == 0:
            print(it, round(loss, 3), round(norm, 3))
