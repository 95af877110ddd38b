"""Token-weighted accumulation: each window is normalised by its own number of tokens."""
import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0


class Tagger(nn.Module):
    def __init__(self, vocab=50, tags=6, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.lstm = nn.LSTM(dim, dim, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * dim, tags)

    def forward(self, x):
        return self.out(self.lstm(self.emb(x))[0])


def sentences(bs=6, longest=11):
    lengths = torch.randint(3, longest + 1, (bs,))
    x = torch.randint(1, 50, (bs, longest))
    pad = torch.arange(longest)[None] >= lengths[:, None]
    y = (x % 5 + 1).masked_fill(pad, PAD)
    return x.masked_fill(pad, PAD), y


def take(n):
    return [sentences() for _ in range(n)]


def main(updates=12, n_micro=4):
    torch.manual_seed(0)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for u in range(updates):
        window = take(n_micro)
        n_tokens = sum((y != PAD).sum() for _, y in window)
        opt.zero_grad(set_to_none=True)
        nll = 0.0
        for x, y in window:
            logits = model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=PAD, reduction="sum")
            (loss / n_tokens).backward()
            nll += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if u % 3 == 0:
            print(f"{u:3d} nll/token {nll / n_tokens.item():.3f}")


if __name__ == "__main__":
    main()
