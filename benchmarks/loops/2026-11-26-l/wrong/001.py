import torch
from torch import nn

text = "the quick brown fox jumps over the lazy dog. " * 20
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
data = torch.tensor([stoi[c] for c in text])


class CharRNN(nn.Module):
    def __init__(self, v, d=32):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, v)

    def forward(self, x, h=None):
        o, h = self.rnn(self.emb(x), h)
        return self.out(o), h


model = CharRNN(len(vocab))
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
seq_len = 25
hidden = None
for pos in range(0, len(data) - seq_len - 1, seq_len):
    inp = data[pos:pos + seq_len].unsqueeze(0)
    tgt = data[pos + 1:pos + seq_len + 1].unsqueeze(0)
    logits, hidden = model(inp, hidden)
    hidden = hidden.detach()
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    if pos % 200 == 0:
        print(f"{pos:5d} {loss.item():.3f}")
