import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Seq2SeqAttention(nn.Module):
    def __init__(self, vocab=25, dim=20):
        super().__init__()
        self.src = nn.Embedding(vocab, dim)
        self.tgt = nn.Embedding(vocab, dim)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.proj = nn.Linear(dim, vocab)

    def forward(self, src, tgt_in):
        q, kv = self.tgt(tgt_in), self.src(src)
        ctx, _ = self.attn(q, kv, kv, need_weights=False)
        return self.proj(q + ctx)


def train_step(model, optimizer, criterion, src, tgt, clip):
    optimizer.zero_grad()
    logits = model(src, tgt[:, :-1])
    loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def eval_step(model, criterion, src, tgt):
    logits = model(src, tgt[:, :-1])
    return criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1)).item()


def main():
    torch.manual_seed(0)
    src = torch.randint(1, 25, (120, 7))
    tgt = torch.cat([torch.zeros(120, 1, dtype=torch.long), src.flip(1)], dim=1)
    train = DataLoader(TensorDataset(src[:96], tgt[:96]), batch_size=16, shuffle=True)
    valid = DataLoader(TensorDataset(src[96:], tgt[96:]), batch_size=24)

    model = Seq2SeqAttention()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    for epoch in range(3):
        model.train()
        tr = [train_step(model, optimizer, criterion, s, t, clip=1.0) for s, t in train]
        model.eval()
        va = [eval_step(model, criterion, s, t) for s, t in valid]
        print(epoch, sum(tr) / len(tr), sum(va) / len(va))


if __name__ == "__main__":
    main()
