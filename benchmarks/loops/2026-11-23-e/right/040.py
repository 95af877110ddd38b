import torch
from torch import nn
import torch.nn.functional as F

MICRO = 4


class HFLikeOutput(dict):
    __getattr__ = dict.__getitem__


class Summarizer(nn.Module):
    """Returns the loss itself, like the models of several hubs do."""

    def __init__(self, vocab=36, d=16, loss_divisor=1):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.enc = nn.GRU(d, d, batch_first=True)
        self.dec = nn.GRU(d, d, batch_first=True)
        self.lm = nn.Linear(d, vocab)
        self.loss_divisor = loss_divisor

    def forward(self, input_ids, labels):
        _, h = self.enc(self.emb(input_ids))
        start = torch.zeros_like(labels[:, :1])
        out, _ = self.dec(self.emb(torch.cat([start, labels[:, :-1]], 1)), h)
        logits = self.lm(out)
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return HFLikeOutput(loss=loss / self.loss_divisor, logits=logits)


def batches():
    g = torch.Generator().manual_seed(1)
    while True:
        src = torch.randint(1, 36, (6, 10), generator=g)
        yield {"input_ids": src, "labels": src[:, ::3]}


def main(updates=15):
    torch.manual_seed(0)
    model = Summarizer(loss_divisor=MICRO)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    data = batches()
    model.train()
    for update in range(updates):
        optimizer.zero_grad()
        total = 0.0
        for _ in range(MICRO):
            out = model(**next(data))
            out.loss.backward()
            total += out.loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if update % 5 == 0:
            print(f"update {update} loss {total:.3f}")


if __name__ == "__main__":
    main()
