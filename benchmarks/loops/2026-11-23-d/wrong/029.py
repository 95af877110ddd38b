import torch
from torch import nn


class TinyLM(nn.Module):
    def __init__(self, vocab=25, dim=20):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids, h=None):
        y, h = self.gru(self.drop(self.emb(ids)), h)
        return self.head(y), h


lm = TinyLM()
opt = torch.optim.RAdam(lm.parameters(), lr=4e-3)
text = torch.randint(0, 25, (2000,))
lm.train()
for step in range(1, 41):
    pos = torch.randint(0, 1960, (8,)).tolist()
    chunk = torch.stack([text[p : p + 33] for p in pos])
    logits, _ = lm(chunk[:, :-1])
    loss = nn.functional.cross_entropy(logits.transpose(1, 2), chunk[:, 1:])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    if step % 10 == 0:
        lm.eval()
        with torch.no_grad():
            token, h, sample = chunk[:1, :1], None, []
            for _ in range(12):
                logits, h = lm(token, h)
                token = torch.multinomial(logits[:, -1].softmax(-1), 1)
                sample.append(token.item())
        print(step, f"{loss.item():.3f}", sample)
