"""Masked-token pretraining, bf16 autocast."""
import torch
import torch.nn as nn
from tqdm import tqdm

hparams = {
    "vocab": 60, "d_model": 16, "heads": 2, "layers": 1, "seq": 12,
    "bs": 8, "steps": 12, "lr": 2e-3, "mask_prob": 0.3, "precision": torch.bfloat16,
}
MASK = 1


class MiniBert(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.tok = nn.Embedding(hp["vocab"], hp["d_model"])
        self.pos = nn.Parameter(torch.zeros(1, hp["seq"], hp["d_model"]))
        layer = nn.TransformerEncoderLayer(hp["d_model"], hp["heads"], 32, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, hp["layers"], enable_nested_tensor=False)
        self.lm_head = nn.Linear(hp["d_model"], hp["vocab"])

    def forward(self, x):
        return self.lm_head(self.enc(self.tok(x) + self.pos))


def corrupt(x, prob):
    picked = torch.rand(x.shape) < prob
    picked[:, 0] = True
    return x.masked_fill(picked, MASK), x.masked_fill(~picked, -100)


def sample_stream(hp):
    while True:
        first = torch.randint(2, hp["vocab"], (hp["bs"], 1))
        yield (first + torch.arange(hp["seq"])) % (hp["vocab"] - 2) + 2


torch.manual_seed(13)
model = MiniBert(hparams).train()
optimizer = torch.optim.AdamW(model.parameters(), lr=hparams["lr"])
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=hparams["lr"], total_steps=hparams["steps"])
ce = nn.CrossEntropyLoss(ignore_index=-100)

bar = tqdm(zip(range(hparams["steps"]), sample_stream(hparams)), total=hparams["steps"], disable=True)
for step, tokens in bar:
    inputs, targets = corrupt(tokens, hparams["mask_prob"])
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type="cpu", dtype=hparams["precision"]):
        logits = model(inputs)
        loss = ce(logits.reshape(-1, hparams["vocab"]), targets.reshape(-1))
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    bar.set_postfix(loss=loss.item())
print("final loss", round(loss.item(), 4))
