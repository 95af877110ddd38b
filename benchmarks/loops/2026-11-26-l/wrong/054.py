import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Seq2Seq(nn.Module):
    def __init__(self, vocab=20, d=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.enc = nn.GRU(d, d, batch_first=True)
        self.dec = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, vocab)

    def forward(self, src, tgt):
        _, h = self.enc(self.emb(src))
        return self.out(self.dec(self.emb(tgt), h)[0])


torch.manual_seed(0)
net = Seq2Seq()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
scaler = GradScaler("cpu")
for step in range(12):
    src = torch.randint(2, 20, (8, 7))
    tgt = torch.cat([torch.ones(8, 1, dtype=torch.long), src.flip(1)], 1)
    optimizer.zero_grad()
    with autocast("cpu", dtype=torch.bfloat16):
        logits = net(src, tgt[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1).float(), tgt[:, 1:].flatten())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if step % 4 == 0:
        print(step, loss.item())
