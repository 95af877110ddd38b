# Character LM, mixed precision, gradient accumulation
import torch
from torch import nn

torch.manual_seed(0)

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the bear " * 12
VOCAB = sorted(set(TEXT))
stoi = {c: i for i, c in enumerate(VOCAB)}
ids = torch.tensor([stoi[c] for c in TEXT])

BLOCK, BATCH, ACCUM, EPOCHS = 12, 4, 4, 2


class CharLM(nn.Module):
    def __init__(self, vocab, width=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.ff = nn.Sequential(nn.Linear(width, 48), nn.GELU(), nn.Linear(48, width))
        self.out = nn.Linear(width, vocab)

    def forward(self, x):
        h = self.emb(x)
        h = h + self.ff(h)
        return self.out(h)


def batches():
    n = (len(ids) - 1) // BLOCK
    order = torch.randperm(n)[: 16 * BATCH]
    for rows in order.split(BATCH):
        x = torch.stack([ids[r * BLOCK : r * BLOCK + BLOCK] for r in rows])
        y = torch.stack([ids[r * BLOCK + 1 : r * BLOCK + BLOCK + 1] for r in rows])
        yield x, y


model = CharLM(len(VOCAB))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
criterion = nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    opt.zero_grad(set_to_none=True)
    total = 0.0
    for i, (x, y) in enumerate(batches()):
        with torch.autocast("cpu", dtype=torch.float16):
            logits = model(x)
            loss = criterion(logits.view(-1, logits.size(-1)), y.view(-1)) / ACCUM
        scaler.scale(loss).backward()
        total += loss.item() * ACCUM
        if i % ACCUM == 0 or i == 15:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
    print("epoch", epoch, "nll", round(total / 16, 4))
