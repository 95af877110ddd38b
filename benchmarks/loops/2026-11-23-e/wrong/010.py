"""Fine-tune a toy sentence encoder with warm-up and gradient accumulation."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

HP = {
    "lr": 5e-3,
    "warmup": 5,
    "updates": 24,
    "accum": 3,
    "batch": 8,
}


class Encoder(nn.Module):
    def __init__(self, vocab=60, dim=24, classes=4):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, classes))

    def forward(self, tokens):
        return self.mlp(self.emb(tokens))


def warmup_linear(hp):
    def scale(step):
        if step < hp["warmup"]:
            return (step + 1) / hp["warmup"]
        return max(0.0, (hp["updates"] - step) / (hp["updates"] - hp["warmup"]))
    return scale


def stream(hp):
    g = torch.Generator().manual_seed(5)
    while True:
        tok = torch.randint(0, 60, (hp["batch"], 12), generator=g)
        yield tok, tok.sum(1) % 4


model = Encoder()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=HP["lr"])
scheduler = LambdaLR(optimizer, warmup_linear(HP))
source = stream(HP)

model.train()
for micro in range(1, HP["updates"] * HP["accum"] + 1):
    tok, lab = next(source)
    loss = criterion(model(tok), lab)
    (loss / HP["accum"]).backward()
    if micro % HP["accum"] == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    scheduler.step()
    if micro % 18 == 0:
        print(micro, f"{loss.item():.3f}", f"lr={scheduler.get_last_lr()[0]:.2e}")
