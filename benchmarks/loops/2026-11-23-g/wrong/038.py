import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(42)


class HybridASR(nn.Module):
    """Shared encoder, a CTC head and a label classifier head."""

    def __init__(self, n_mels=8, vocab=7):
        super().__init__()
        self.encoder = nn.LSTM(n_mels, 14, batch_first=True)
        self.ctc_head = nn.Linear(14, vocab)
        self.att_head = nn.Linear(14, vocab)

    def forward(self, mel):
        enc, _ = self.encoder(mel)
        return self.ctc_head(enc).log_softmax(-1).transpose(0, 1), self.att_head(enc.mean(1))


class Recipe:
    def __init__(self, grad_accum=3, ctc_weight=0.3):
        self.grad_accum = grad_accum
        self.w = ctc_weight
        self.asr = HybridASR()
        self.opt = torch.optim.Adadelta(self.asr.parameters(), lr=1.0)
        self.n = 0

    def losses(self, batch):
        mel, tokens = batch
        logp, cls = self.asr(mel)
        t = torch.full((mel.size(0),), mel.size(1))
        u = torch.full((mel.size(0),), tokens.size(1))
        return F.ctc_loss(logp, tokens, t, u), F.cross_entropy(cls, tokens[:, 0])

    def fit_batch(self, batch):
        ctc, att = self.losses(batch)
        (self.w * ctc / self.grad_accum).backward(retain_graph=True)
        ((1 - self.w) * att).backward()
        nn.utils.clip_grad_value_(self.asr.parameters(), 0.05)
        self.n += 1
        if self.n == self.grad_accum:
            self.opt.step()
            self.opt.zero_grad()
            self.n = 0
        return ctc.item(), att.item()


recipe = Recipe()
batches = [(torch.randn(2, 15, 8), torch.randint(1, 7, (2, 4))) for _ in range(9)]
for epoch in (1, 2):
    for b in batches:
        c, a = recipe.fit_batch(b)
    print(f"epoch {epoch} ctc={c:.2f} att={a:.2f}")
